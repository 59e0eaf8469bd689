"""A program of asyncio tasks as mypy --strict reads it: what each call gives is asserted, and mistakes are marked.

Never run; `# error: CODE` at the end of a line is what mypy must say of it, and it must say nothing else.
"""

from typing import assert_type
from uuid import UUID

import redis.asyncio

from redis_guard.registry import Registry
from redis_guard.runtime import Claim, Count, Sent, Wake
from redis_guard.runtime.aio import Coordination, Lease, LostEvent


async def making(registry: Registry, client: redis.asyncio.Redis) -> None:
    coordination = Coordination(registry, client)
    assert_type(await coordination.start(), Coordination)
    async with Coordination.from_file("redis_guard.yaml", url="redis://localhost") as coordination:
        assert_type(coordination, Coordination)
    coordination.start()  # error: unused-coroutine
    coordination.aclose()  # error: unused-coroutine
    coordination.close()  # error: attr-defined
    with coordination:  # error: attr-defined
        pass


async def locks(coordination: Coordination, batch: UUID) -> None:
    async with coordination.lock("email_batch_lock", batch) as lease:
        assert_type(lease, Lease)
        assert_type(lease.token, str)
        assert_type(lease.fence, int | None)
        assert_type(lease.degraded, bool)
        assert_type(lease.remaining, float)
        assert_type(lease.lost, LostEvent)
        assert_type(lease.export(), str)
        lease.check()
        await lease.lost.wait()
        lease.release()  # error: unused-coroutine
        await lease.check()  # error: func-returns-value, misc
    maybe = await coordination.lock("email_batch_lock", batch, wait=0.5).try_acquire()
    assert_type(maybe, Lease | None)
    if maybe:
        await maybe.release()
    assert_type(await coordination.adopt("text"), Lease)
    coordination.adopt("text")  # error: unused-coroutine
    coordination.lock("email_batch_lock", batch).try_acquire().check()  # error: attr-defined
    coordination.lock("email_batch_lock", batch, ttl=5)  # error: call-arg
    with coordination.lock("email_batch_lock", batch):  # error: attr-defined
        pass


async def claims(coordination: Coordination) -> None:
    claim = await coordination.claim("invoice_export_claim", 42, by="job")
    assert_type(claim, Claim)
    assert_type(claim.accepted, bool)
    coordination.claim("invoice_export_claim", 42)  # error: unused-coroutine
    bool(coordination.claim("invoice_export_claim", 42).accepted)  # error: attr-defined


async def counters(coordination: Coordination) -> None:
    counter = coordination.counter("login_attempts", b"account")
    assert_type(await counter.increment(), Count)
    assert_type((await counter.increment(by=2)).exceeded, bool)
    assert_type(await counter.value(), int)
    assert_type(await counter.reset(), bool)
    counter.increment()  # error: unused-coroutine
    bool(counter.increment().exceeded)  # error: attr-defined


async def signals(coordination: Coordination) -> None:
    signal = coordination.signal("flags_changed")
    assert_type(await signal.send("marker"), Sent)
    async for wake in signal.listen():
        assert_type(wake, Wake)
        assert_type(wake.marker, bytes | None)
    signal.send("marker")  # error: unused-coroutine
    for _ in signal.listen():  # error: attr-defined
        pass
