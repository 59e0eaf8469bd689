"""What is advised works on the oldest server that is configured."""

from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.check import check
from redis_guard.options import Options

Project = Callable[..., Path]

CODE = """
import redis

r = redis.Redis()


def hit(user):
    count = r.incr(f"quota:{user}")
    r.expire(f"quota:{user}", 60)
    return count


def tally(day, status):
    r.hincrby(f"status:{day}", status)
    r.expire(f"status:{day}", 86_400)


def take(user):
    code = r.hget("codes", user)
    r.hdel("codes", user)
    return code


def work():
    item = r.lpop("queue:mail")
    print(item)
"""


def messages(root: Path, *select: str) -> list[str]:
    report = check(Options(paths=(str(root),), select=select)).report
    return [finding.message for finding in report.findings]


@pytest.mark.parametrize(
    ("version", "code", "said"),
    [
        ("6.2", "RG202", "`set(…, 0, ex=…, nx=True)` and `incr` in one MULTI pipeline"),
        ("6.2", "RG202", "Do both in one Lua script"),
        ("7.0", "RG202", "`expire` with `nx=True`"),
        ("6.2", "RG207", "queue `set(…, 0, ex=…, nx=True)` and `incr`"),
        ("7.4", "RG207", "Pass `nx=True`"),
        ("6.2", "RG210", "both in one MULTI pipeline"),
        ("8", "RG210", "hgetdel()"),
        ("6.2", "RG213", "; LMOVE it"),
        ("6.0", "RG213", "; RPOPLPUSH it"),
    ],
)
def test_advice_needs_no_newer_server(project: Project, version: str, code: str, said: str) -> None:
    root = project({"app.py": CODE}, f'[tool.redis-guard]\ntarget-server = "{version}"\n')
    assert any(said in message for message in messages(root, code))


def test_the_oldest_supported_server_is_what_holds_without_a_word(project: Project) -> None:
    root = project({"app.py": CODE})
    assert not any("`expire` with `nx=True`" in message for message in messages(root, "RG202", "RG207"))


def test_another_server_is_another_judgement(project: Project) -> None:
    """What the cache remembers was advice for the server that was configured then."""
    root = project({"app.py": CODE}, '[tool.redis-guard]\ntarget-server = "6.2"\n')
    before = messages(root, "RG207")
    assert messages(root, "RG207") == before
    (root / "pyproject.toml").write_text('[tool.redis-guard]\ntarget-server = "7.0"\n')
    assert messages(root, "RG207") != before
