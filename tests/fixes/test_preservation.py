"""Generated programs through `--fix --unsafe-fixes`: they parse, keep their comments, and stay as they then are."""

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redis_guard.fixing import fix
from redis_guard.options import Options

HEAD = "import redis\n\nr = redis.Redis()\nTTL = 60\n"
BODIES = (
    "r.set(k, v)\nr.expire(k, 60)",
    "r.set(k, v)\nlog(k)\nr.expire(k, ttl)",
    "r[k] = v\nr.pexpire(k, 2500)",
    "r.set(\n    k,\n    v,\n)\nr.expire(k, TTL)",
    "if r.setnx(k, v):\n    r.expire(k, 30)\n    return True\nreturn False",
    "n = r.incr(k)\nif n == 1:\n    r.expire(k, 60)\nreturn n",
    "n = r.incr(k)\nr.expire(k, 60)\nreturn n",
    "for x in v:\n    r.sadd(k, x)\n    r.expire(k, 90)",
    "r.rpush(k, v)\nr.ltrim(k, 0, 9)\nr.expire(k, ttl)",
    "p = r.pipeline(transaction=False)\np.hset(k, 'f', v)\np.expire(k, 60)\np.execute()",
    "p = r.pipeline()\np.set(k, v, ex=9)",
    "r.expire(k, 60)\nr.set(k, v)",
    "x = r.get('once:' + k)\nr.delete('once:' + k)\nreturn x",
    "if r.exists(k):\n    return False\nr.set(k, v, ex=300)\nreturn True",
    "if not r.set('lock:' + k, 'me', nx=True, ex=30):\n    return False\ntry:\n    work('''a\n  b''')\nfinally:\n"
    "    r.delete('lock:' + k)\nreturn True",
    "lock = r.lock(k, timeout=9)\nlock.acquire()\nwork(v)\nlock.release()",
    "for x in r.keys('a:*'):\n    print(x)",
    "return r.get(k) == 'on'",
    "r.setex(k, v, 300)",
    "r.expire(k, 0)",
    "r.pexpire(k, ttl_seconds)",
    "with r.pipeline() as p:\n    p.watch(k)\n    n = int(p.get(k) or 0)\n    p.multi()\n"
    "    p.set(k, n + 1, ex=9)\n    p.execute()",
)  # fmt: skip
COMMENTS = ("# why", "# as it came", "#: é", "# x = 1; y = 2")


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """Functions one after the other, with comments, blank lines, tabs and line ends as they come."""
    unit = draw(st.sampled_from(("    ", "  ", "\t")))
    lines = HEAD.splitlines()
    for number in range(draw(st.integers(1, 4))):
        lines += [""] * draw(st.integers(0, 2))
        lines.append(f"def f{number}(k, v, ttl, ttl_seconds):")
        text = 0
        for line in draw(st.sampled_from(BODIES)).split("\n"):
            indent = len(line) - len(line.lstrip(" "))
            inside = text % 2
            text += line.count("'''")
            made = line if inside else unit + unit * (indent // 4) + line.lstrip(" ")
            plain = not inside and not text % 2
            if plain and not line.endswith(",") and draw(st.integers(0, 5)) == 0:
                lines.append(unit + unit * (indent // 4) + draw(st.sampled_from(COMMENTS)))
            if plain and draw(st.integers(0, 3)) == 0:
                made += draw(st.sampled_from(("  ", "\t"))) + draw(st.sampled_from(COMMENTS))
            lines.append(made)
    ending = draw(st.sampled_from(("\n", "\r\n")))
    program = ending.join(lines) + ending * draw(st.integers(0, 2))
    return draw(st.sampled_from((b"", b"\xef\xbb\xbf"))) + program.encode()


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return Counter(token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("preserved")
    (folder / "pyproject.toml").write_text('[tool.redis-guard]\nselect = ["ALL"]\ntarget-server = "7.0"\n')
    (folder / "main.py").write_text("")
    return folder


@settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=programs())
def test_a_generated_program_is_put_right_once_and_keeps_its_comments(root: Path, data: bytes) -> None:
    def mended(content: bytes) -> tuple[bytes, str, str]:
        options = Options(stdin=(str(root / "main.py"), content), use_cache=False, jobs=1)
        fixed = fix(options, unsafe=True, write=False)
        assert not fixed.outcome.tracebacks
        if not fixed.changes:
            return content, "", ""
        [change] = fixed.changes
        return change.after, *change.texts

    after, was, now = mended(data)
    if after != data:
        ast.parse(now)
        assert not comments(was) - comments(now)
        assert after.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
        assert ("\r\n" in now) == ("\r\n" in was)
        assert "\n" not in now.replace("\r\n", "") or "\r\n" not in was
        assert now[: len(HEAD) // 4] == was[: len(HEAD) // 4] or "import" in now
    assert mended(after)[0] == after
