"""A program of threads as mypy --strict reads it: what each call gives is asserted, and mistakes are marked.

Never run; `# error: CODE` at the end of a line is what mypy must say of it, and it must say nothing else.
"""

from pathlib import Path
from typing import assert_type
from uuid import UUID

import redis

from redis_guard.registry import Registry
from redis_guard.runtime import Claim, Coordination, Count, Lease, Sent, Wake
from redis_guard.runtime.sync.lease import LostEvent


def making(registry: Registry, client: redis.Redis) -> None:
    assert_type(Coordination(registry, client), Coordination)
    assert_type(Coordination.from_file("redis_guard.yaml", url="redis://localhost"), Coordination)
    assert_type(Coordination.from_files(Path("a.yaml"), "b/*.yaml", client=client), Coordination)
    assert_type(Coordination.from_package("shop", "redis_guard.yaml", client), Coordination)
    assert_type(Coordination(registry, client).start(), Coordination)
    with Coordination(registry, client) as coordination:
        assert_type(coordination, Coordination)
    Coordination("redis_guard.yaml", client)  # error: arg-type
    Coordination(registry, url=6379)  # error: arg-type
    Coordination.from_file("redis_guard.yaml", client, ttl=5)  # error: call-arg


def locks(coordination: Coordination, batch: UUID) -> None:
    with coordination.lock("email_batch_lock", batch) as lease:
        assert_type(lease, Lease)
        assert_type(lease.token, str)
        assert_type(lease.fence, int | None)
        assert_type(lease.degraded, bool)
        assert_type(lease.remaining, float)
        assert_type(lease.lost, LostEvent)
        assert_type(lease.lost.wait(1.0), bool)
        assert_type(lease.export(), str)
        lease.check()
        assert_type(lease.fence + 1, int)  # error: operator
        lease.extend(5)  # error: attr-defined
    maybe = coordination.lock("email_batch_lock", batch, wait=0.5, on_lost=print).try_acquire()
    assert_type(maybe, Lease | None)
    maybe.check()  # error: union-attr
    if maybe:
        maybe.release()
    assert_type(coordination.adopt("text"), Lease)
    coordination.lock("email_batch_lock", batch, ttl=5)  # error: call-arg
    coordination.lock("email_batch_lock", batch, wait="5s")  # error: arg-type
    coordination.lock("email_batch_lock", 1.5)  # error: arg-type
    coordination.lock("email_batch_lock", None)  # error: arg-type
    coordination.lock("email_batch_lock", batch, on_lost=lambda: None)  # error: arg-type, misc
    coordination.lock(batch)  # error: arg-type


def claims(coordination: Coordination) -> None:
    claim = coordination.claim("invoice_export_claim", 42, by="job")
    assert_type(claim, Claim)
    assert_type(claim.accepted, bool)
    assert_type(claim.token, str)
    assert_type(claim.degraded, bool)
    assert_type(claim.holder, str | None)
    claim.accepted = True  # error: misc
    coordination.claim("invoice_export_claim", 42, by=1.5)  # error: arg-type
    coordination.claim("invoice_export_claim", 42, ttl=5)  # error: call-arg


def counters(coordination: Coordination) -> None:
    counter = coordination.counter("login_attempts", b"account")
    count = counter.increment()
    assert_type(count, Count)
    assert_type(count.value, int)
    assert_type(count.limit, int | None)
    assert_type(count.exceeded, bool)
    assert_type(count.remaining, int | None)
    assert_type(count.resets_in, float | None)
    assert_type(counter.value(), int)
    assert_type(counter.reset(), bool)
    counter.increment(by="2")  # error: arg-type
    counter.decrement()  # error: attr-defined
    assert_type(counter.value > 5, bool)  # error: operator


def signals(coordination: Coordination) -> None:
    signal = coordination.signal("flags_changed")
    assert_type(signal.send("marker"), Sent)
    assert_type(signal.send(b"marker").receivers, int)
    for wake in signal.listen():
        assert_type(wake, Wake)
        assert_type(wake.marker, bytes | None)
        assert_type(wake.reason == "mesage", bool)  # error: comparison-overlap
    signal.send({"flag": True})  # error: arg-type


def commands(coordination: Coordination) -> None:
    coordination.get("key")  # error: attr-defined
    coordination.execute_command("GET", "key")  # error: attr-defined
