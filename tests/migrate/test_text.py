"""What becomes of everything around a call site: comments, tests, imports, variables, layout."""

from collections.abc import Callable

from tests.migrate.conftest import Done

TOKENS = '''\
"""Settling."""

import uuid
from json import (
    dumps,
    loads,  # of answers
)
from uuid import UUID, uuid4

import redis

RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end"
r = redis.Redis()


class Settler:
    def by_script(self, order: UUID):
        key = f"settle:{order}"
        token = str(uuid.uuid4())
        if not r.set(key, token, nx=True, ex=30):
            print("busy", key)
            return dumps({})
        try:
            return self.work(order)
        finally:
            r.eval(RELEASE, 1, key, token)

    def by_hand(self, order: UUID):
        key = f"settle:{order}"
        token = uuid4().hex
        if r.set(key, token, nx=True, ex=30):
            self.work(order)
            if r.get(key) == token.encode():
                r.delete(key)

    def by_hand_in_two_steps(self, order: UUID):
        key = f"settle:{order}"
        token = uuid4().hex
        if r.set(key, token, nx=True, ex=30):
            try:
                self.work(order)
            finally:
                mine = r.get(key)
                if mine and mine.decode() == token:
                    r.delete(key)
'''

RELEASED = '''\
"""Settling."""

from json import (
    dumps,
    loads,  # of answers
)
from uuid import UUID

import redis

from app.coordination import coordination

RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end"
r = redis.Redis()


class Settler:
    def by_script(self, order: UUID):
        key = f"settle:{order}"
        lease = coordination.lock("settling", order).try_acquire()
        if lease is None:
            print("busy", key)
            return dumps({})
        with lease:
            return self.work(order)

    def by_hand(self, order: UUID):
        if lease := coordination.lock("settling", order).try_acquire():
            self.work(order)
            lease.release()

    def by_hand_in_two_steps(self, order: UUID):
        if lease := coordination.lock("settling", order).try_acquire():
            try:
                self.work(order)
            finally:
                lease.release()
'''


def test_tokens_keys_and_imports_that_only_served_the_lock_go(migrated: Callable[..., Done]) -> None:
    done = migrated(TOKENS, head="")

    assert done.migrated.changes[0].texts[1] == RELEASED


def test_imports_that_others_take_from_here_stay(migrated: Callable[..., Done]) -> None:
    code = 'import redis\nfrom app.clients import r\n\n\ndef hit(a):\n    r.incr(f"login:{a}:attempts")\n'
    clients = "import redis\n\nr = redis.Redis()\n"

    alone = migrated(code, "attempts", head="", files={"app/clients.py": clients})
    assert "import r\n" not in alone.migrated.changes[0].texts[1]

    shared = migrated(
        code, "attempts", head="",
        files={"app/clients.py": clients, "app/user.py": "from app.main import r\n\nr.get('x')\n"},
    )  # fmt: skip
    assert "from app.clients import r\n" in shared.migrated.changes[0].texts[1]


def test_an_import_with_a_comment_and_one_of_all_stay(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'import redis\nfrom app.clients import r  # noqa: F401\n\n__all__ = ["r"]\n\n\n'
        'def hit(a):\n    r.incr(f"login:{a}:attempts")\n',
        "attempts",
        head="",
        files={"app/clients.py": "import redis\n\nr = redis.Redis()\n"},
    )

    assert "from app.clients import r  # noqa: F401\n" in done.migrated.changes[0].texts[1]


def test_a_name_that_is_taken_is_not_taken_again(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(order, lease, coordination):\n    if r.set(f"settle:{order}", 1, nx=True, ex=30):\n'
        '        work(lease, coordination)\n        r.delete(f"settle:{order}")\n'
    )

    assert done.migrated.changes[0].texts[1] == (
        "import redis\n\nfrom app.coordination import coordination as redis_coordination\n\nr = redis.Redis()\n\n\n"
        "def f(order, lease, coordination):\n"
        '    if lock_lease := redis_coordination.lock("settling", str(order)).try_acquire():\n'
        "        work(lease, coordination)\n        lock_lease.release()\n"
    )


def test_an_object_that_is_imported_already_is_used(migrated: Callable[..., Done]) -> None:
    done = migrated(
        "import redis\nfrom .coordination import coordination as c\n\nr = redis.Redis()\n\n\n"
        'def hit(a):\n    r.incr(f"login:{a}:attempts")\n',
        "attempts",
        head="",
    )

    assert (
        done.migrated.changes[0]
        .texts[1]
        .endswith('r = redis.Redis()\n\n\ndef hit(a):\n    c.counter("attempts", str(a)).increment()\n')
    )
    assert done.migrated.changes[0].texts[1].count("import") == 2


def test_an_object_within_an_object(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def hit(a):\n    r.incr(f"login:{a}:attempts")\n',
        "attempts",
        files={
            "app/parts.py": "from app.coordination import coordination\n\n\nclass parts:\n    shared = coordination\n"
        },
        config='[tool.redis-guard]\ncoordination = "app.parts:parts.shared"\n',
    )

    assert done.text == 'def hit(a):\n    parts.shared.counter("attempts", str(a)).increment()\n'


def test_tabs_and_line_endings_stay(migrated: Callable[..., Done]) -> None:
    code = (
        'def f(order):\n\tif not r.set(f"settle:{order}", 1, nx=True, ex=30):\n\t\treturn\n\ttry:\n'
        '\t\twork()  # hard\n\tfinally:\n\t\tr.delete(f"settle:{order}")\n'
    )

    done = migrated(code.replace("\n", "\r\n"), head="import redis\r\n\r\nr = redis.Redis()\r\n\r\n\r\n")

    assert (
        done.migrated.changes[0]
        .texts[1]
        .endswith(
            'def f(order):\r\n\tlease = coordination.lock("settling", str(order)).try_acquire()\r\n'
            "\tif lease is None:\r\n\t\treturn\r\n\twith lease:\r\n\t\twork()  # hard\r\n"
        )
    )


def test_where_no_line_can_stand_before_the_test(migrated: Callable[..., Done]) -> None:
    done = migrated(
        "def f(order, ready):\n    if not ready:\n        return\n"
        '    elif r.set(f"settle:{order}", 1, nx=True, ex=30):\n        r.delete(f"settle:{order}")\n'
    )

    assert done.text == (
        "def f(order, ready):\n    if not ready:\n        return\n"
        '    elif lease := coordination.lock("settling", str(order)).try_acquire():\n        lease.release()\n'
    )


def test_a_loop_that_tries_again(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(order):\n    while not r.set(f"settle:{order}", 1, nx=True, ex=30):\n        pause()\n'
        '    try:\n        work()\n    finally:\n        r.delete(f"settle:{order}")\n'
    )

    assert done.text == (
        'def f(order):\n    while not (lease := coordination.lock("settling", str(order)).try_acquire()):\n'
        "        pause()\n    with lease:\n        work()\n"
    )


def test_a_lock_under_conditions(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(order, ready):\n    if ready and r.set(f"settle:{order}", 1, nx=True, ex=30):\n        work()\n'
        '        r.delete(f"settle:{order}")\n'
    )

    assert done.text == (
        'def f(order, ready):\n    if ready and (lease := coordination.lock("settling", str(order)).try_acquire()):\n'
        "        work()\n        lease.release()\n"
    )


def test_a_finally_with_a_comment_or_more_to_do_stays(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(order):\n    if not r.set(f"settle:{order}", 1, nx=True, ex=30):\n        return\n'
        "    try:\n        work()\n    except ValueError:\n        log()\n    finally:\n        # others may\n"
        '        r.delete(f"settle:{order}")\n        tell()\n'
    )

    assert done.text == (
        'def f(order):\n    lease = coordination.lock("settling", str(order)).try_acquire()\n    if lease is None:\n'
        "        return\n    try:\n        work()\n    except ValueError:\n        log()\n    finally:\n"
        "        # others may\n        lease.release()\n        tell()\n"
    )


def test_a_lock_of_redis_py_waits_as_it_did(migrated: Callable[..., Done]) -> None:
    done = migrated(
        """\
def a(order):
    with r.lock(f"settle:{order}", timeout=30, blocking=False):
        work()


def b(order):
    with r.lock(f"settle:{order}", timeout=30, blocking_timeout=0.5) as lock:
        work()


def c(order):
    lock = r.lock(f"settle:{order}", timeout=30, blocking_timeout=2)
    if lock.acquire():
        work()
        lock.release()


def d(order):
    lock = r.lock(f"settle:{order}", timeout=60)
    lock.acquire()
    try:
        work()
    finally:
        lock.release()


def e(order, stack):
    stack.enter_context(r.lock(f"settle:{order}", 30))


def f(order):
    lock = r.lock(f"settle:{order}", timeout=30, blocking_timeout=5)
    with lock:
        work()
"""
    )

    assert (
        done.text
        == """\
def a(order):
    with coordination.lock("settling", str(order), wait=0):
        work()


def b(order):
    with coordination.lock("settling", str(order), wait=0.5):
        work()


def c(order):
    if lease := coordination.lock("settling", str(order), wait=2).try_acquire():
        work()
        lease.release()


def d(order):
    with coordination.lock("settling", str(order)):
        work()


def e(order, stack):
    stack.enter_context(coordination.lock("settling", str(order)))


def f(order):
    lock = coordination.lock("settling", str(order))
    with lock:
        work()
"""
    )
    assert "the lifetime is 1m here; the runtime takes the registry's 30s" in done.notes


def test_handlers_of_lock_errors_get_the_runtimes(migrated: Callable[..., Done]) -> None:
    done = migrated(
        """\
def a(order):
    try:
        with r.lock(f"settle:{order}", timeout=30, blocking_timeout=1):
            work()
    except redis.exceptions.LockError:
        log("busy, or lost")


def b(order):
    lock = r.lock(f"settle:{order}", timeout=30)
    if not lock.acquire(blocking=False):
        return
    try:
        work()
    finally:
        try:
            lock.release()
        except redis.exceptions.LockNotOwnedError:
            log("lost")


def c(order):
    lock = r.lock(f"settle:{order}", timeout=30)
    have = lock.acquire(blocking=False)
    try:
        if have:
            work()
    finally:
        if have:
            if lock.owned():
                lock.release()
    return have
"""
    )

    assert (
        done.text
        == """\
def a(order):
    try:
        with coordination.lock("settling", str(order), wait=1):
            work()
    except (LockLost, LockNotAcquired):
        log("busy, or lost")


def b(order):
    lease = coordination.lock("settling", str(order)).try_acquire()
    if lease is None:
        return
    try:
        work()
    finally:
        try:
            lease.release()
        except LockLost:
            log("lost")


def c(order):
    lease = coordination.lock("settling", str(order)).try_acquire()
    try:
        if lease:
            work()
    finally:
        if lease:
            lease.release()
    return lease is not None
"""
    )
    assert "from redis_guard.runtime import LockLost, LockNotAcquired\n" in done.migrated.changes[0].texts[1]


def test_a_listener(migrated: Callable[..., Done]) -> None:
    done = migrated(
        """\
def a():
    p = r.pubsub()
    p.subscribe("flags")
    # for ever
    for message in p.listen():
        if message["type"] != "message":
            continue
        reread()


def b():
    p = r.pubsub(ignore_subscribe_messages=True)
    p.subscribe("flags")
    for message in p.listen():
        reread()


def c():
    p = r.pubsub()
    p.subscribe("flags")
    for message in p.listen():
        if message.get("type") == "message":
            # again
            reread()
""",
        "flags",
    )

    assert (
        done.text
        == """\
def a():
    # for ever
    for _wake in coordination.signal("flags").listen():
        reread()


def b():
    for _wake in coordination.signal("flags").listen():
        reread()


def c():
    for _wake in coordination.signal("flags").listen():
        # again
        reread()
"""
    )
    assert len(done.notes) == 3


def test_a_listener_of_asyncio(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'async def a():\n    p = r.pubsub()\n    await p.subscribe("flags")\n'
        "    async for message in p.listen():\n        await reread()\n",
        "flags",
        asynchronous=True,
    )

    assert done.text == (
        'async def a():\n    async for _wake in coordination.signal("flags").listen():\n        await reread()\n'
    )


def test_answers_of_pipelines(migrated: Callable[..., Done]) -> None:
    done = migrated(
        """\
def a(x):
    pipe = r.pipeline()
    pipe.incr(f"login:{x}:attempts", 2).expire(f"login:{x}:attempts", 60)
    answers = pipe.execute()
    return answers[0] > 5


def b(x):
    return r.pipeline().incr(f"login:{x}:attempts").expire(f"login:{x}:attempts", 60).execute()[0]


def c(x):
    with r.pipeline() as pipe:
        pipe.expire(f"login:{x}:attempts", 60)
        pipe.incr(f"login:{x}:attempts")
        pipe.execute()
""",
        "attempts",
    )

    assert (
        done.text
        == """\
def a(x):
    count = coordination.counter("attempts", str(x)).increment(by=2).value
    return count > 5


def b(x):
    return coordination.counter("attempts", str(x)).increment().value


def c(x):
    coordination.counter("attempts", str(x)).increment()
"""
    )


def test_a_window_that_is_started_where_the_count_is_made(migrated: Callable[..., Done]) -> None:
    done = migrated(
        """\
def a(x):
    if r.incr(f"login:{x}:attempts") == 1:
        r.expire(f"login:{x}:attempts", 60)


def b(x):
    if (n := r.incr(f"login:{x}:attempts")) == 1:
        r.expire(f"login:{x}:attempts", 60)
    return n
""",
        "attempts",
    )

    assert (
        done.text
        == """\
def a(x):
    coordination.counter("attempts", str(x)).increment()


def b(x):
    n = coordination.counter("attempts", str(x)).increment().value
    return n
"""
    )


def test_the_import_stands_with_its_like(migrated: Callable[..., Done]) -> None:
    hit = 'def hit(a):\n    r.incr(f"login:{a}:attempts")\n'
    files = {"app/clients.py": "import redis\n\nr = redis.Redis()\n", "app/zebra.py": ""}

    def top(imports: str) -> str:
        done = migrated(f"{imports}\n\n{hit}", "attempts", head="", files=files)
        return done.migrated.changes[0].texts[1].partition("\n\ndef")[0]

    own = "from app.coordination import coordination"
    assert top('"""Doc."""\nimport os\n\nfrom app.clients import r, x\nfrom app.zebra import y\nos, x') == (
        f'"""Doc."""\nimport os\n\nfrom app.clients import x\n{own}\nfrom app.zebra import y\nos, x'
    )
    assert top("import redis\n\nr = redis.Redis()") == f"import redis\n\n{own}\n\nr = redis.Redis()"
    assert (
        top("import os\nfrom .clients import r\nr, os")
        == f"import os\n{own}\n\nfrom .clients import r\nr, os"
    )


def test_a_window_that_each_count_prolonged_is_said(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def a(x):\n    r.incr(f"login:{x}:attempts")\n    r.expire(f"login:{x}:attempts", 600)\n', "attempts"
    )

    assert done.text == 'def a(x):\n    coordination.counter("attempts", str(x)).increment()\n'
    assert sorted(done.notes) == [
        "each count prolonged the window; the runtime's begins with the first count and then ends",
        "the lifetime is 10m here; the runtime takes the registry's 1m",
    ]


def test_what_never_ended_is_said(migrated: Callable[..., Done]) -> None:
    lock = migrated('def a(x):\n    with r.lock(f"settle:{x}", blocking_timeout=5):\n        work()\n')
    claim = migrated('def a(x):\n    return r.setnx(f"export:{x}", 1)\n', "export")
    counter = migrated('def a(x):\n    r.incr(f"login:{x}:attempts")\n', "attempts")

    assert lock.notes == ["the lock never expired here; the runtime's does"]
    assert claim.notes == ["the claim never ended here; the runtime's does"]
    assert counter.text is not None
