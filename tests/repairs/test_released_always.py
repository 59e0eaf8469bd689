"""RG306: the release is reached on every way."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "import redis\nimport redis.asyncio\n\nr = redis.Redis()\na = redis.asyncio.Redis()\n\n\n"

RELEASED = {
    "a lock that is waited for is held in a with": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()  # mine
            # first
            go()
            lock.release()  # over
            after()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            with lock:  # mine
                # first
                go()
            # over
            after()
        """,
    ),
    "asyncio": (
        """
        async def f():
            lock = a.lock("a", timeout=9)
            await lock.acquire()
            await go()
            await lock.release()
        """,
        """
        async def f():
            lock = a.lock("a", timeout=9)
            async with lock:
                await go()
        """,
    ),
    "the content of strings stays": (
        '''
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()
            text = """
          keep
        me"""

            x = f"""
        {text}
          {
            text
          }"""
            go(x)
            lock.release()
        ''',
        '''
        def f():
            lock = r.lock("a", timeout=9)
            with lock:
                text = """
          keep
        me"""

                x = f"""
        {text}
          {
            text
          }"""
                go(x)
        ''',
    ),
    "who does not wait has a try": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            if not lock.acquire(blocking=False):
                return

            go()
            lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            if not lock.acquire(blocking=False):
                return

            try:
                go()
            finally:
                lock.release()
        """,
    ),
    "inside the test": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            if lock.acquire(blocking=False):
                go()
                lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            if lock.acquire(blocking=False):
                try:
                    go()
                finally:
                    lock.release()
        """,
    ),
    "a variable is asked": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            got = lock.acquire(blocking=False)
            if not got:
                raise ValueError
            @deco
            def work(): return 1
            go(work)
            lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            got = lock.acquire(blocking=False)
            if not got:
                raise ValueError
            try:
                @deco
                def work(): return 1
                go(work)
            finally:
                lock.release()
        """,
    ),
    "a try that is there gets the finally": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            if not lock.acquire(blocking=False):
                return
            try:
                go()
            except ValueError:
                print("bad")
            lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            if not lock.acquire(blocking=False):
                return
            try:
                go()
            except ValueError:
                print("bad")
            finally:
                lock.release()
        """,
    ),
    "a try that begins too late begins earlier": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()
            prepare()
            try:
                go()
            finally:
                lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()
            try:
                prepare()
                go()
            finally:
                lock.release()
        """,
    ),
    "a loop that is left inside": (
        """
        def f(xs):
            lock = r.lock("a", timeout=9)
            lock.acquire()
            for x in xs:
                if go(x):
                    break
            lock.release()
        """,
        """
        def f(xs):
            lock = r.lock("a", timeout=9)
            with lock:
                for x in xs:
                    if go(x):
                        break
        """,
    ),
    "a release that asks the lock first": (
        """
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()
            go()
            if lock.owned():
                lock.release()
        """,
        """
        def f():
            lock = r.lock("a", timeout=9)
            lock.acquire()
            try:
                go()
            finally:
                if lock.owned():
                    lock.release()
        """,
    ),
    "a lock whose making is not seen": (
        """
        def f(lock: redis.lock.Lock):
            lock.acquire()
            go()
            lock.release()
        """,
        """
        def f(lock: redis.lock.Lock):
            lock.acquire()
            try:
                go()
            finally:
                lock.release()
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), RELEASED.values(), ids=RELEASED.keys())
@pytest.mark.parametrize("spelled", [str, lambda text: text.replace("    ", "\t").replace("\n", "\r\n")])
def test_every_way_releases(mend: Mend, before: str, after: str, spelled: Callable[[str], str]) -> None:
    head = spelled(HEAD)
    mended = mend(spelled(dedent(before)), "RG306", head=head)
    assert (mended.text, mended.safety) == (spelled(dedent(after)), ["unsafe"])
    assert not mend(mended.text, "RG306", head=head).findings


@pytest.mark.parametrize(
    "body",
    [
        "lock.acquire()\n    if go():\n        return\n    go()\n    lock.release()",
        "lock.acquire(); go(); lock.release()",
        "lock.acquire()\n    go(); lock.release()",
        "lock.acquire()\n    if go():\n        lock.release()\n        raise ValueError\n    lock.release()",
        "lock.acquire()\n    go()\n    try:\n        go()\n    except ValueError:\n        go()\n"
        "    finally:\n        lock.release()",
        "got = lock.acquire(blocking=False)\n    go()\n    if got:\n        lock.release()",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, body: str) -> None:
    mended = mend(f"def f():\n    lock = r.lock('a', timeout=9)\n    {body}\n", "RG306", head=HEAD)
    assert mended.safety == ["none"]


def test_a_turn_of_a_loop_that_keeps_the_lock_is_left_alone(mend: Mend) -> None:
    code = (
        "def f(xs):\n    lock = r.lock('a', timeout=9)\n    for x in xs:\n        lock.acquire()\n"
        "        if go(x):\n            continue\n        lock.release()\n"
    )
    assert mend(code, "RG306", head=HEAD).safety == ["none"]


def test_a_release_that_depends_on_something_else_is_a_decision(mend: Mend) -> None:
    code = (
        "def f(task):\n    lock = r.lock('a', timeout=9)\n    if not lock.acquire(blocking=False):\n        return\n"
        "    try:\n        go()\n    finally:\n        if task.now:\n            lock.release()\n"
    )
    assert mend(code, "RG306", head=HEAD).safety == ["none"]
