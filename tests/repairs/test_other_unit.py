"""RG404: the call takes the unit that the lifetime is in."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import CLIENT, Mended

Mend = Callable[..., Mended]
HEAD = f"import time\nfrom datetime import datetime, timedelta\n\n{CLIENT}KEEP = timedelta(days=2)\n"


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("r.set(k, 1, ex=ttl_ms)", "r.set(k, 1, px=ttl_ms)", "unsafe"),
        ("r.set(k, 1, ttl_ms)", "r.set(k, 1, px=ttl_ms)", "unsafe"),
        ("r.set(k, 1, px=ttl_seconds)", "r.set(k, 1, ex=ttl_seconds)", "unsafe"),
        ("r.expire(k, time=ttl_ms)", "r.pexpire(k, time=ttl_ms)", "unsafe"),
        ("r.expire(time=expires_at, name=k)", "r.expireat(when=expires_at, name=k)", "unsafe"),
        ("r.hexpire(k, ttl_ms, 'f')", "r.hpexpire(k, ttl_ms, 'f')", "unsafe"),
        ("r.psetex(k, ttl_seconds, 1)", "r.set(k, 1, ex=ttl_seconds)", "unsafe"),
        ("r.setex(name=k, time=ttl_ms, value=1)", "r.set(name=k, px=ttl_ms, value=1)", "unsafe"),
        ("r.set(k, 1, ex=int(time.time()) + x)", "r.set(k, 1, exat=int(time.time()) + x)", "unsafe"),
        ("r.expire(k, time.time() + x)", "r.expireat(k, int(time.time() + x))", "unsafe"),
        ("r.expire(k, datetime.now() + KEEP)", "r.expireat(k, datetime.now() + KEEP)", "unsafe"),
        ("r.expireat(k, timedelta(hours=1))", "r.expire(k, timedelta(hours=1))", "unsafe"),
        ("r.expireat(k, KEEP.total_seconds())", "r.expire(k, KEEP)", "unsafe"),
        ("r.set(k, 1, ex=86_400_000)", "r.set(k, 1, px=86_400_000)", "unsafe"),
        ("r.set(k, 1, ex=KEEP.seconds)", "r.set(k, 1, ex=KEEP)", "safe"),
        ("r.expire(k, (x - y).seconds)", "r.expire(k, x - y)", "unsafe"),
        ("r.lock(k, timeout=KEEP.seconds)", "r.lock(k, timeout=KEEP.total_seconds())", "unsafe"),
        ("r.lock(k, timeout=ttl_ms)", "r.lock(k, timeout=ttl_ms / 1000)", "unsafe"),
        ("r.set(k, 1, ex=ttl_minutes)", "r.set(k, 1, ex=ttl_minutes * 60)", "unsafe"),
        ("r.pexpire(k, ttl_days)", "r.pexpire(k, ttl_days * 86_400_000)", "unsafe"),
    ],
)
def test_the_unit_is_put_right(mend: Mend, before: str, after: str, safety: str) -> None:
    define = "def f(k, x, y, ttl_ms, ttl_seconds, ttl_minutes, ttl_days, expires_at):\n    "
    mended = mend(f"{define}{before}\n", "RG404", head=HEAD)
    assert (mended.text, mended.safety) == (f"{define}{after}\n", [safety])


@pytest.mark.parametrize(
    "code",
    [
        "r.set(k, 1, ex=ttl_ms or 5)",
        "r.set(k, 1, ex=max(1, ttl_ms))",
        "r.expire(k, 2 * ttl_days)",
        "r.expireat(k, time.time() + ttl_ms)",
        "r.expireat(k, int(time.monotonic()) + 5)",
        "r.expire(k, ttl_microseconds)",
        "r.set(k, 1, None, ttl_seconds)",
        "r.execute_command('EXPIRE', k, ttl_ms)",
        "r.set(k, 1, ex=int(KEEP.seconds))",
    ],
)
def test_what_cannot_be_told_has_no_fix(mend: Mend, code: str) -> None:
    define = "def f(k, ttl_ms, ttl_seconds, ttl_days, ttl_microseconds):\n    "
    mended = mend(f"{define}{code}\n", "RG404", head=HEAD)
    assert mended.safety == ["none"]


def test_an_instant_for_set_needs_a_server_that_takes_one(mend: Mend) -> None:
    code = "def f(k, expires_at):\n    r.set(k, 1, ex=expires_at)\n"
    assert not mend(code, "RG404", server="6.0").fixes
