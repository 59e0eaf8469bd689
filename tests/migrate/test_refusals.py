"""Call sites that are left, each with its reason; and the file with them."""

from collections.abc import Callable

import pytest

from tests.migrate.conftest import REGISTRY, Done

LOCKS = [
    ("nobody looks", 'def f(order):\n    r.set(f"settle:{order}", 1, nx=True, ex=30)\n    r.delete(f"settle:{order}")\n',
     "nobody looks whether the lock was taken"),
    ("returned", 'def f(order):\n    return r.set(f"settle:{order}", 1, nx=True, ex=30)\n',
     "nothing gives it back in this function: what is never given back is registered as a claim"),
    ("two functions", 'def f(order):\n    return r.set(f"settle:{order}", 1, nx=True, ex=30)\n\n\ndef g(order):\n    r.delete(f"settle:{order}")\n',
     "it is given back in another function (line 11); take it with `with` in one"),
    ("given back without it", 'def f(order):\n    got = r.set(f"settle:{order}", 1, nx=True, ex=30)\n    try:\n        work(got is None)\n    finally:\n        r.delete(f"settle:{order}")\n',
     "line 11 gives it back although it may not have been taken"),
    ("used otherwise", 'def f(order):\n    got = r.set(f"settle:{order}", 1, nx=True, ex=30)\n    if got:\n        work(got)\n        r.delete(f"settle:{order}")\n',
     "got is used otherwise than as a test (line 9)"),
    ("other values", 'def f(order, got=True):\n    got = got and r.set(f"settle:{order}", 1, nx=True, ex=30)\n    if got:\n        r.delete(f"settle:{order}")\n',
     "the answer is used otherwise than as a test"),
    ("closure", 'def f(order):\n    got = r.set(f"settle:{order}", 1, nx=True, ex=30)\n    if got:\n        later(lambda: got)\n        r.delete(f"settle:{order}")\n',
     "got is seen by others than this function"),
    ("answer of the deletion", 'def f(order):\n    if r.set(f"settle:{order}", 1, nx=True, ex=30):\n        return r.delete(f"settle:{order}")\n',
     "the answer of giving it back is used (line 8)"),
    ("twice", 'def f(order):\n    if r.set(f"settle:{order}", 1, nx=True, ex=30):\n        r.delete(f"settle:{order}")\n    if r.set(f"settle:{order}", 1, nx=True, ex=30):\n        r.delete(f"settle:{order}")\n',
     "the function takes this lock in several places"),
    ("prolonged", 'def f(order):\n    if r.set(f"settle:{order}", 1, nx=True, ex=30):\n        r.expire(f"settle:{order}", 60)\n        r.delete(f"settle:{order}")\n',
     "the lock is prolonged by hand; register it with renew and max_hold"),
    ("get=True", 'def f(order):\n    if r.set(f"settle:{order}", 1, nx=True, ex=30, get=True) is None:\n        r.delete(f"settle:{order}")\n',
     "it is given get=, which the runtime has no word for"),
    ("deleted by force", 'def f(order):\n    r.delete(f"settle:{order}")\n', "the lock is deleted where this function has not taken it"),
    ("looked at", 'def f(order):\n    return r.exists(f"settle:{order}")\n',
     "EXISTS looks whether somebody has it; the runtime says so only to who asks for it"),
    ("several keys", 'def f(order):\n    r.delete(f"settle:{order}", "other")\n', "it takes other keys too"),
    ("in a pipeline", 'def f(order):\n    pipe = r.pipeline()\n    pipe.delete(f"settle:{order}")\n    pipe.execute()\n',
     "it is queued on a pipeline; send it by itself"),
    ("star", 'def f(order, **more):\n    if r.set(f"settle:{order}", 1, nx=True, **more):\n        r.delete(f"settle:{order}")\n',
     "a star argument hides what is passed"),
    ("redis errors", 'def f(order):\n    try:\n        if r.set(f"settle:{order}", 1, nx=True, ex=30):\n            r.delete(f"settle:{order}")\n    except redis.RedisError:\n        pass\n',
     "RedisError is caught around it, and the runtime raises CoordinationUnavailable"),
    ("lock errors", 'def f(order):\n    try:\n        with r.lock(f"settle:{order}", timeout=30):\n            work()\n    except redis.exceptions.LockError:\n        pass\n',
     "LockError is caught around it; the runtime raises LockNotAcquired and LockLost"),
    ("extended", 'def f(order):\n    lock = r.lock(f"settle:{order}", timeout=30)\n    if lock.acquire(blocking=False):\n        lock.extend(9)\n        lock.release()\n',
     "extend() is called on the lock (line 9); the runtime gives a lease"),
    ("handed on", 'def f(order):\n    lock = r.lock(f"settle:{order}", timeout=30)\n    if lock.acquire(blocking=False):\n        work(lock)\n        lock.release()\n',
     "lock is handed on (line 9)"),
    ("kept", 'def f(self, order):\n    self.lock = r.lock(f"settle:{order}", timeout=30)\n',
     "the lock object is kept elsewhere; take it with `with` where it is needed"),
    ("handed to the caller", 'def f(order):\n    return r.lock(f"settle:{order}", timeout=30)\n', "the lock is handed to the caller"),
    ("not given back", 'def f(order):\n    lock = r.lock(f"settle:{order}", timeout=30)\n    return lock.acquire(blocking=False)\n',
     "the lock is not given back in this function"),
    ("used inside", 'def f(order):\n    with r.lock(f"settle:{order}", timeout=30) as lock:\n        lock.reacquire()\n',
     "the lock object lock is used inside; the runtime gives a lease"),
    ("wait of a variable", 'def f(order, wait):\n    with r.lock(f"settle:{order}", timeout=30, blocking_timeout=wait):\n        work()\n',
     "how long it waits is decided at run time, and may be for ever"),
    ("own token", 'def f(order):\n    lock = r.lock(f"settle:{order}", timeout=30)\n    if lock.acquire(token="x"):\n        lock.release()\n',
     "acquire() is given a token of its own"),
    ("built", 'def f(order):\n    with redis.lock.Lock(r, f"settle:{order}", timeout=30):\n        work()\n', "the lock is built by its class"),
    ("handed to a helper", 'def f(order):\n    take(f"settle:{order}")\n\n\ndef take(key):\n    return r.set(key, 1, nx=True, ex=30)\n',
     "the key is handed to take(), which uses it; ask the runtime here"),
    ("comment in what goes", 'def f(order):\n    token = 1\n    if r.set(f"settle:{order}", token, nx=True, ex=30):\n        if r.get(f"settle:{order}") == token:  # still mine\n            r.delete(f"settle:{order}")\n',
     "a comment stands in what would go"),
]  # fmt: skip
CLAIMS = [
    ("taken back", 'def f(batch):\n    if r.set(f"export:{batch}", 1, nx=True, ex=60):\n        try:\n            work()\n        except ValueError:\n            r.delete(f"export:{batch}")\n            raise\n',
     "the claim is taken back, which the runtime's is not; what is given back is registered as a lock"),
    ("read", 'def f(batch):\n    return r.get(f"export:{batch}")\n', "GET reads what is stored, and the runtime stores a token of its own"),
    ("set for good", 'def f(batch):\n    r.set(f"export:{batch}", 1)\n', "SET has no counterpart in a claim of the runtime"),
    ("a script", 'def f(batch):\n    r.eval("return redis.call(\'set\', KEYS[1], 1, \'NX\')", 1, f"export:{batch}")\n',
     "a script does this; the runtime has its own"),
]  # fmt: skip
COUNTERS = [
    ("down", 'def f(a):\n    r.decr(f"login:{a}:attempts")\n', "decr() counts down"),
    ("by a variable", 'def f(a, n):\n    r.incrby(f"login:{a}:attempts", n)\n', "it may count by less than 1 (n)"),
    ("by nothing", 'def f(a):\n    r.incrby(f"login:{a}:attempts", 0)\n', "it may count by less than 1 (0)"),
    ("started apart", 'def f(a):\n    r.expire(f"login:{a}:attempts", 60)\n', "the window is started apart from the count"),
    ("its answer", 'def f(a):\n    r.incr(f"login:{a}:attempts")\n    return r.expire(f"login:{a}:attempts", 60)\n', "the answer of expire() is used"),
    ("text", 'def f(a):\n    return r.get(f"login:{a}:attempts")\n', "the text of the count is used; the runtime gives a number"),
    ("kept as text", 'def f(a):\n    n = r.get(f"login:{a}:attempts")\n    return n\n', "n is used as text (line 8); the runtime gives a number"),
    ("ttl", 'def f(a):\n    return r.ttl(f"login:{a}:attempts")\n', "TTL has no counterpart in a counter of the runtime"),
    ("other commands", 'def f(a):\n    p = r.pipeline()\n    p.incr(f"login:{a}:attempts")\n    p.get("x")\n    return p.execute()\n',
     "the pipeline sends other commands too; count by itself"),
    ("answers handed on", 'def f(a):\n    p = r.pipeline()\n    p.incr(f"login:{a}:attempts")\n    p.expire(f"login:{a}:attempts", 60)\n    return p.execute()\n',
     "the answers of the pipeline are handed on together"),
    ("the other answer", 'def f(a):\n    p = r.pipeline()\n    p.incr(f"login:{a}:attempts")\n    p.expire(f"login:{a}:attempts", 60)\n    return p.execute()[1]\n',
     "the answer of EXPIRE is used"),
]  # fmt: skip
SIGNALS = [
    ("data", 'def f(change):\n    r.publish("flags", change.json())\n', "change.json() may be data, and a signal carries a marker"),
    ("long", f'def f():\n    r.publish("flags", "{"x" * 257}")\n', "the message is longer than a marker may be (256 bytes)"),
    ("content", 'def f():\n    p = r.pubsub()\n    p.subscribe("flags")\n    for m in p.listen():\n        work(m["data"])\n',
     "the content of m is read (line 10); a signal carries no data"),
    ("polled", 'def f():\n    p = r.pubsub()\n    p.subscribe("flags")\n    while True:\n        p.get_message(timeout=1)\n',
     "get_message() is no plain loop over listen() (line 10)"),
    ("several", 'def f():\n    p = r.pubsub()\n    p.subscribe("flags", "other")\n    for m in p.listen():\n        work()\n',
     "it subscribes to other channels too, or with a handler"),
    ("closed", 'def f():\n    p = r.pubsub()\n    p.subscribe("flags")\n    for m in p.listen():\n        work()\n    p.close()\n',
     "the subscription is ended by close() (line 11)"),
]  # fmt: skip
ALL = [
    *(pytest.param("settling", code, reason, id=f"lock: {name}") for name, code, reason in LOCKS),
    *(pytest.param("export", code, reason, id=f"claim: {name}") for name, code, reason in CLAIMS),
    *(pytest.param("attempts", code, reason, id=f"counter: {name}") for name, code, reason in COUNTERS),
    *(pytest.param("flags", code, reason, id=f"signal: {name}") for name, code, reason in SIGNALS),
]


@pytest.mark.parametrize(("use_case", "code", "reason"), ALL)
def test_the_reason(migrated: Callable[..., Done], use_case: str, code: str, reason: str) -> None:
    done = migrated(code, use_case)

    assert done.text is None
    assert any(said.startswith(reason) for said in done.reasons), done.reasons


def test_a_lock_that_waits_for_ever_needs_a_wait(migrated: Callable[..., Done]) -> None:
    code = 'def f(order):\n    with r.lock(f"settle:{order}", timeout=30):\n        work()\n'

    done = migrated(code, registry=REGISTRY.replace("    wait: 5s\n", ""))
    assert done.reasons == [
        'it waits for ever, and the registry says to try once; give the use case a "wait"'
    ]

    done = migrated(code)
    assert done.notes == [
        "it waits for ever here; the runtime raises LockNotAcquired after the registry's 5s"
    ]


@pytest.mark.parametrize(
    ("asynchronous", "reason"),
    [
        (True, "blocking code, and app.coordination:coordination is one of redis_guard.runtime.aio"),
        (
            False,
            "asyncio, and app.coordination:coordination is blocking; it needs one of redis_guard.runtime.aio",
        ),
    ],
)
def test_the_object_is_of_the_other_world(
    migrated: Callable[..., Done], asynchronous: bool, reason: str
) -> None:
    if asynchronous:
        head, code = (
            "import redis\n\nr = redis.Redis()\n\n\n",
            'def f(a):\n    r.incr(f"login:{a}:attempts")\n',
        )
    else:
        head = "import redis.asyncio as redis\n\nr = redis.Redis()\n\n\n"
        code = 'async def f(a):\n    await r.incr(f"login:{a}:attempts")\n'

    done = migrated(code, "attempts", head=head, asynchronous=asynchronous)

    assert done.reasons == [reason]


def test_one_site_that_stays_keeps_the_whole_file(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(a):\n    r.incr(f"login:{a}:attempts")\n\n\ndef g(a):\n    return r.ttl(f"login:{a}:attempts")\n',
        "attempts",
    )

    assert done.migrated.changes == ()
    assert [(said.line, said.text) for said in done.migrated.left] == [
        (7, "a file is rewritten wholly or not at all, and line 11 is in the way"),
        (11, "TTL has no counterpart in a counter of the runtime"),
    ]


def test_a_file_beside_it_is_rewritten(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(a):\n    return r.ttl(f"login:{a}:attempts")\n',
        "attempts",
        files={"app/other.py": 'from app.main import r\n\n\ndef f(a):\n    r.incr(f"login:{a}:attempts")\n'},
    )

    assert [change.path for change in done.migrated.changes] == ["app/other.py"]
    assert [said.path for said in done.migrated.left] == ["app/main.py"]


def test_a_value_that_another_file_reads_stays(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(batch):\n    return bool(r.set(f"export:{batch}", "me", nx=True, ex=60))\n',
        "export",
        files={"app/other.py": 'from app.main import r\n\n\ndef who(b):\n    return r.get(f"export:{b}")\n'},
    )

    assert done.migrated.changes == ()
    assert done.reasons == [
        "its value is read (app/other.py:5), and the runtime stores a token of its own",
        "GET reads what is stored, and the runtime stores a token of its own",
    ]


def test_a_handler_for_redis_has_nothing_to_do_under_an_open_policy(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(batch):\n    try:\n        return bool(r.set(f"export:{batch}", 1, nx=True, ex=60))\n'
        "    except redis.RedisError:\n        return True\n",
        "export",
        registry=REGISTRY.replace(
            "ttl: 60s\n    failure: closed\n    description: One export",
            "ttl: 60s\n    failure: open\n    reason: It may run twice\n    description: One export",
        ),
    )

    assert done.text is not None
    assert done.notes == [
        "RedisError is caught around it; under `failure: open` the handler has nothing to do"
    ]


def test_tests_are_not_touched(migrated: Callable[..., Done]) -> None:
    done = migrated(
        "",
        "export",
        files={"tests/test_x.py": 'import redis\n\nredis.Redis().set("export:7", 1, nx=True, ex=60)\n'},
    )

    assert (done.migrated.changes, done.migrated.left) == ((), ())
    assert done.migrated.remarks == ("1 call site in tests, which may call Redis: not touched",)
