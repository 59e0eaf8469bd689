"""A clean-up that finds no connection in its short time is done again, with nobody waiting for it."""

import asyncio

import pytest
import redis

from redis_guard.runtime.aio import Coordination
from redis_guard.runtime.aio.wire import Wire
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import RELEASE
from redis_guard.runtime.steps import Answer, Send
from redis_guard.testing import Server
from tests.runtime.worlds import registry

REGISTRY = registry(job_lock={"primitive": "lock"})


def test_a_release_that_is_cancelled_on_a_busy_loop(
    server: Server, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Wire._send
    tries: list[Send] = []

    async def busy(wire: Wire, step: Send) -> Answer:
        if step.script is RELEASE:
            tries.append(step)
            if len(tries) == 1:
                await asyncio.sleep(60)
            if len(tries) == 2:
                raise Fault("timeout", "no connection in time", opening=True)
        return await send(wire, step)

    async def main() -> None:
        coordination = Coordination(REGISTRY, url=server.url)
        lease = await coordination.lock("job_lock", 1).try_acquire()
        assert lease is not None
        releasing = asyncio.create_task(lease.release())
        await asyncio.sleep(0.05)
        releasing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await releasing
        await coordination.aclose()

    monkeypatch.setattr(Wire, "_send", busy)
    asyncio.run(main())

    assert not client.exists("coordination:job_lock:1")
    assert len(tries) == 3
