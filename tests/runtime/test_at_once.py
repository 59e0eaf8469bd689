"""What two do at the same moment, and what may come at any moment."""

import threading

import redis

from tests.runtime.proxy import Proxy
from tests.runtime.worlds import World, registry

REGISTRY = registry(
    {"deadline": "2s"},
    job_lock={"primitive": "lock"},
)


def test_two_who_give_the_same_lease_back_do_no_harm(world: World, proxy: Proxy, client: redis.Redis) -> None:
    coordination = world.coordination(REGISTRY, url=proxy.url)
    lease = coordination.lock("job_lock", 1).try_acquire()
    assert lease is not None
    held = proxy.hold("evalsha")
    wrong: list[BaseException] = []

    def release() -> None:
        try:
            lease.release()
        except BaseException as error:
            wrong.append(error)

    first, second = threading.Thread(target=release), threading.Thread(target=release)
    first.start()
    held.wait()
    second.start()
    second.join()
    held.deliver()
    first.join()

    assert not wrong
    assert not client.exists("coordination:job_lock:1")
