"""RG303: the script compares and deletes."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = """\
import redis

r = redis.Redis()

_RELEASE = r.register_script(
    "if redis.call('GET', KEYS[1]) == ARGV[1] then "
    "return redis.call('DEL', KEYS[1]) else return 0 end"
)


"""
CALL = "_RELEASE(keys=[f'lock:{name}'], args=[token])"

COMPARED = {
    "the outcome is told": (
        """
        def drop(name, token):
            if r.get(f'lock:{name}') == token:
                r.delete(f'lock:{name}')
                return True
            return False
        """,
        f"""
        def drop(name, token):
            return {CALL} == 1
        """,
    ),
    "nothing is told": (
        """
        def drop(name, token):
            if r.get(f'lock:{name}') == token:
                r.delete(f'lock:{name}')
        """,
        f"""
        def drop(name, token):
            {CALL}
        """,
    ),
    "bytes are no question": (
        """
        def drop(name, token):
            held = r.get(f'lock:{name}')
            if held is None or held.decode() != token:
                return None
            r.delete(f'lock:{name}')
            print("dropped")
        """,
        f"""
        def drop(name, token):
            if not {CALL}:
                return None
            print("dropped")
        """,
    ),
    "on both ways something is done": (
        """
        def drop(name, token):
            held = r.get(f'lock:{name}')
            if held and token.encode() == held:
                r.delete(f'lock:{name}')
                print("dropped")  # here
            else:
                print("gone")
        """,
        f"""
        def drop(name, token):
            if {CALL}:
                print("dropped")  # here
            else:
                print("gone")
        """,
    ),
    "the number of keys is told": (
        """
        def drop(name, token):
            if r.get(f'lock:{name}') == token:
                return r.delete(f'lock:{name}')
            return 0
        """,
        f"""
        def drop(name, token):
            return {CALL}
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), COMPARED.values(), ids=COMPARED.keys())
def test_the_script_compares(mend: Mend, before: str, after: str) -> None:
    mended = mend(dedent(before), "RG303", head=HEAD)
    assert (mended.text, mended.safety) == (dedent(after), ["unsafe"])
    assert not mend(mended.text, "RG303", head=HEAD).findings


def test_an_object_compares_its_token(mend: Mend) -> None:
    before = """
    class Lock:
        def __init__(self, client: redis.Redis, token):
            self.client = client
            self.token = token

        def release(self, key):
            if self.client.get(key) == self.token:
                self.client.delete(key)
                return True
            return False
    """
    mended = mend(dedent(before), "RG303", head="import redis\n")
    assert "        return self.client.eval(_RELEASE_SCRIPT, 1, key, self.token) == 1\n" in mended.text


@pytest.mark.parametrize(
    "body",
    [
        "held = r.get('lock:a')\n    if held == token:\n        r.delete('lock:a')\n    print(held)",
        "if r.get('lock:a') == token:\n        print('mine')\n        r.delete('lock:a')",
        "if r.get('lock:a') == token or force:\n        r.delete('lock:a')",
        "if r.get('lock:a') == token + '1':\n        r.delete('lock:a')",
        "p = r.pipeline()\n    if r.get('lock:a') == token:\n        p.delete('lock:a')\n    p.execute()",
        "if r.get('lock:a') == token:\n        # it is mine\n        r.delete('lock:a')",
        "if r.get('lock:a') == token:\n        r.delete('lock:a', 'b')",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, body: str) -> None:
    mended = mend(f"def drop(token, force):\n    {body}\n", "RG303", head=HEAD)
    assert mended.safety == ["none"]
