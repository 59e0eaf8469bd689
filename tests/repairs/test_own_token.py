"""RG302 and RG304: a hand-made lock gets a token, and a script that compares it."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "import uuid\n\nimport redis\n\nr = redis.Redis()\n"
SCRIPT = """\
    "if redis.call('GET', KEYS[1]) == ARGV[1] then "
    "return redis.call('DEL', KEYS[1]) else return 0 end"
)
"""
REGISTERED = f"\n_RELEASE = r.register_script(\n{SCRIPT}"
TEXT = f"\n_RELEASE_SCRIPT = (\n{SCRIPT}"


def code(text: str) -> str:
    return dedent(text).lstrip("\n")


RELEASED = {
    "in a finally": (
        """
        def once(name, job):
            if not r.set(f"lock:{name}", "1", nx=True, ex=30):
                return
            try:
                job()
            finally:
                r.delete(f"lock:{name}")
        """,
        """
        def once(name, job):
            token = uuid.uuid4().hex
            if not r.set(f"lock:{name}", token, nx=True, ex=30):
                return
            try:
                job()
            finally:
                _RELEASE(keys=[f"lock:{name}"], args=[token])
        """,
    ),
    "on every way": (
        """
        def once(name, job):
            while not r.set(f"lock:{name}", "1", nx=True, ex=30):
                pass
            try:
                job()
            except ValueError:
                r.delete(f"lock:{name}")  # a
                raise
            return r.delete(f"lock:{name}")
        """,
        """
        def once(name, job):
            token = uuid.uuid4().hex
            while not r.set(f"lock:{name}", token, nx=True, ex=30):
                pass
            try:
                job()
            except ValueError:
                _RELEASE(keys=[f"lock:{name}"], args=[token])  # a
                raise
            return _RELEASE(keys=[f"lock:{name}"], args=[token])
        """,
    ),
    "the token is made before a try that gives the lock back": (
        """
        def once(name, job):
            try:
                if r.set(f"lock:{name}", "1", nx=True, ex=30):
                    job()
            finally:
                r.delete(f"lock:{name}")
        """,
        """
        def once(name, job):
            token = uuid.uuid4().hex
            try:
                if r.set(f"lock:{name}", token, nx=True, ex=30):
                    job()
            finally:
                _RELEASE(keys=[f"lock:{name}"], args=[token])
        """,
    ),
    "a token that is there is used": (
        """
        def once(name, job):
            me = str(uuid.uuid4())
            if r.set(f"lock:{name}", me, nx=True, ex=30):
                job()
                r.delete(f"lock:{name}")
        """,
        """
        def once(name, job):
            me = str(uuid.uuid4())
            if r.set(f"lock:{name}", me, nx=True, ex=30):
                job()
                _RELEASE(keys=[f"lock:{name}"], args=[me])
        """,
    ),
    "a token that nobody kept is kept": (
        """
        def once(token, job):
            if r.set(f"lock:{token}", str(uuid.uuid4()), nx=True, ex=30):
                job()
                r.delete(f"lock:{token}")
        """,
        """
        def once(token, job):
            lock_token = str(uuid.uuid4())
            if r.set(f"lock:{token}", lock_token, nx=True, ex=30):
                job()
                _RELEASE(keys=[f"lock:{token}"], args=[lock_token])
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), RELEASED.values(), ids=RELEASED.keys())
def test_a_function_gives_back_its_own_lock_only(mend: Mend, before: str, after: str) -> None:
    mended = mend("\n\n" + code(before), "RG302", head=HEAD)
    assert mended.text.removeprefix(HEAD) == REGISTERED + "\n\n" + code(after)
    assert set(mended.safety) == {"unsafe"}
    assert not mend(mended.text, "RG302", head=HEAD).findings
    assert not mend(mended.text, "RG304", head=HEAD).findings


MANAGER = """
class Mutex:
    def __init__(self, client: redis.Redis, key: str) -> None:
        self.client = client
        self.key = key

    def __enter__(self):
        if not self.client.set(self.key, 1, nx=True, px=5000):
            raise RuntimeError("busy")

    def __exit__(self, *error):
        self.client.delete(self.key)
"""


def test_a_context_manager_keeps_its_token(mend: Mend) -> None:
    mended = mend(f"\n{MANAGER}", "RG302", head="import uuid\n\nimport redis\n")
    after = (
        MANAGER.replace("= key\n", "= key\n        self._token = uuid.uuid4().hex\n")
        .replace(", 1,", ", self._token,")
        .replace("delete(self.key)", "eval(_RELEASE_SCRIPT, 1, self.key, self._token)")
    )
    assert mended.text == f"{TEXT}\n{after}"
    assert mended.safety == ["unsafe"]


def test_both_findings_of_a_lock_carry_the_same_fix(mend: Mend) -> None:
    before = code(RELEASED["in a finally"][0])
    [one], [other] = mend(before, "RG302", head=HEAD).fixes, mend(before, "RG304", head=HEAD).fixes
    assert one == other


def test_asyncio_awaits_the_script(mend: Mend) -> None:
    head = "import uuid\n\nfrom redis.asyncio import Redis\n\nr = Redis()\n"
    before = code(
        """
        async def once(job):
            if await r.set("lock:a", "1", nx=True, ex=30):
                await job()
                await r.delete("lock:a")
        """
    )
    mended = mend("\n\n" + before, "RG304", head=head)
    assert 'await _RELEASE(keys=["lock:a"], args=[token])' in mended.text


def test_two_locks_of_one_file_share_the_script(mend: Mend) -> None:
    one, after = map(code, RELEASED["in a finally"])
    mended = mend(f"\n\n{one}\n\n{one.replace('once', 'again')}", "RG302", head=HEAD)
    assert mended.text.removeprefix(HEAD) == f"{REGISTERED}\n\n{after}\n\n{after.replace('once', 'again')}"


def test_two_locks_of_one_function_have_two_tokens_in_two_passes(mend: Mend) -> None:
    before = code(
        """
        def both(job):
            if r.set("lock:a", "1", nx=True, ex=30) and r.set("lock:b", "1", nx=True, ex=30):
                job()
                r.delete("lock:b")
                r.delete("lock:a")
        """
    )
    first = mend(before, "RG302", head=HEAD)
    assert sorted(first.safety) == ["none", "unsafe"]
    second = mend(first.text, "RG302", head=HEAD)
    assert '_RELEASE(keys=["lock:b"], args=[lock_token])' in second.text
    assert '_RELEASE(keys=["lock:a"], args=[token])' in second.text
    assert not mend(second.text, "RG302", head=HEAD).findings


def test_a_client_that_is_made_elsewhere_is_asked_to_evaluate(mend: Mend) -> None:
    head = '"""A module."""\n\nimport uuid\nfrom clients import r\n'
    before = code(RELEASED["in a finally"][0])
    files = {"clients.py": "import redis\n\nr = redis.Redis()\n"}
    mended = mend(before, "RG302", head=head, files=files)
    assert mended.text.startswith(TEXT)
    assert 'r.eval(_RELEASE_SCRIPT, 1, f"lock:{name}", token)' in mended.text


def test_an_import_of_uuid_is_added(mend: Mend) -> None:
    mended = mend(code(RELEASED["in a finally"][0]), "RG302", head="import redis\n\nr = redis.Redis()\n")
    assert mended.text.count("import uuid\n") == 1
    head = "from uuid import uuid4\n\nimport redis\n\nr = redis.Redis()\n"
    mended = mend(code(RELEASED["in a finally"][0]), "RG302", head=head)
    assert "token = uuid4().hex\n" in mended.text


def test_windows_line_ends_stay(mend: Mend) -> None:
    before = code(RELEASED["in a finally"][0]).replace("\n", "\r\n")
    mended = mend("\r\n\r\n" + before, "RG302", head=HEAD.replace("\n", "\r\n"))
    assert mended.text.count("\n") == mended.text.count("\r\n")


WITHHELD = {
    "in two functions": """
        def acquire_lock():
            return r.set("lock:a", "1", nx=True, ex=30)


        def release_lock():
            r.delete("lock:a")
        """,
    "queued": """
        def once(job):
            if r.set("lock:a", "1", nx=True, ex=30):
                job()
                p = r.pipeline()
                p.delete("lock:a")
                p.execute()
        """,
    "with another key": """
        def once(job):
            if r.set("lock:a", "1", nx=True, ex=30):
                job()
                r.delete("lock:a", "b")
        """,
    "somebody reads the value": """
        def once(job):
            if r.set("lock:a", "1", nx=True, ex=30):
                job()
                r.delete("lock:a")


        def state():
            return r.get("lock:a") == b"1"
        """,
    "a name in the way": """
        def once(job, uuid):
            if r.set("lock:a", "1", nx=True, ex=30):
                job()
                r.delete("lock:a")
        """,
    "a token in a loop": """
        def once(job):
            for _ in range(3):
                if r.set("lock:a", "1", nx=True, ex=30):
                    break
            job()
            r.delete("lock:a")
        """,
    "no __init__": """
        class Mutex:
            def __enter__(self):
                r.set("lock:a", "1", nx=True, ex=30)

            def __exit__(self, *error):
                r.delete("lock:a")
        """,
    "the cache of Django": """
        from django.core.cache import cache


        def once(job):
            if cache.add("lock:a", "1", 30):
                job()
                cache.delete("lock:a")
        """,
}


@pytest.mark.parametrize("text", WITHHELD.values(), ids=WITHHELD.keys())
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, text: str) -> None:
    mended = mend(code(text), "RG302", head=HEAD)
    assert mended.findings
    assert not mended.fixes
    assert not mend(code(text), "RG304", head=HEAD).fixes


def test_a_lock_of_somebody_else_is_left_to_its_end(mend: Mend) -> None:
    head = "import redis\nfrom redis.exceptions import LockError\n\nr = redis.Redis()\n"
    before = "def tidy(lock):\n    try:\n        lock.release()\n    except LockError:\n        r.delete(lock.name)\n"
    mended = mend(before, "RG302", head=head)
    assert mended.text == before.replace("r.delete(lock.name)", "pass")
    logged = before.replace("        r.delete", "        print('late')\n        r.delete")
    assert mend(logged, "RG302", head=head).text == logged.replace("        r.delete(lock.name)\n", "")
    assert mended.safety == ["unsafe"]
