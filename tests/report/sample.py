"""One report with all that a format may have to show."""

from dataclasses import replace

from redis_guard.finding import Edit, Finding, Fix, Related, Severity, Span
from redis_guard.lines import Lines
from redis_guard.report import Report

LIMITS = (
    "import redis\n"
    "\n"
    "\n"
    "class Limits:\n"
    "    def hit(self, who):\n"
    '        key = f"登录:{who}"; count = self.redis.incr(key)\n'
    "        if count == 1:\n"
    "            self.redis.expire(key, 60)\n"
    "\n"
    "    def reset(self, who):\n"
    "\t\treturn self.redis.set(\n"
    "\t\t\tf'login:{who}', 0)\n"
    f'TABLE = "{"a" * 200}"; CLIENT = redis.Redis(); REST = "{"b" * 200}"\n'
)
WINDOW = "def start(r, key):\n    r.expire(key, 60)  # begins the window\n"
FILES = {"app/limits.py": LIMITS, "app/window.py": WINDOW}


def span_of(path: str, part: str, end: str | None = None) -> Span:
    """Where a part of a file's text stands, up to the end of another part."""
    text = FILES[path]
    start = text.index(part)
    stop = text.index(end, start) + len(end) if end else start + len(part)
    return Span(*_place(text, start), *_place(text, stop))


def _place(text: str, offset: int) -> tuple[int, int]:
    starts = Lines.of(text).starts
    line = sum(start <= offset for start in starts)
    return line, offset - starts[line - 1] + 1


def findings() -> tuple[Finding, ...]:
    pair = Finding(
        "RG202",
        "incr-then-expire",
        Severity.ERROR,
        "counter `登录:{who}` stays for ever if the process dies between INCR and EXPIRE, and who is "
        "locked out by it is locked out for good: set the lifetime in the same MULTI, or use the use case "
        "`login-limit`",
        "app/limits.py",
        span_of("app/limits.py", "self.redis.incr(key)"),
        method="incr",
        command="INCR",
        key="登录:{who}",
        use_case="login-limit",
        related=(
            Related(
                "app/limits.py", span_of("app/limits.py", "self.redis.expire(key, 60)"), "EXPIRE is here"
            ),
            Related("app/window.py", span_of("app/window.py", "r.expire(key, 60)"), "and also here"),
        ),
        fix=Fix(
            "Set the lifetime in the same transaction",
            "unsafe",
            (Edit(Span(6, 36, 6, 56), "self.redis.get(key)"), Edit(Span(7, 1, 9, 1), "")),
        ),
        function="Limits.hit",
        fingerprint="0123456789abcdef0123",
    )
    lifetime = replace(
        pair,
        code="RG401",
        name="missing-ttl",
        severity=Severity.WARNING,
        message="nothing limits the lifetime of `login:{who}`",
        span=span_of("app/limits.py", "self.redis.set(", "0)"),
        command="SET",
        related=(),
        fix=None,
        fingerprint="1" * 20,
    )
    client = replace(
        lifetime,
        code="RG102",
        name="direct-client",
        severity=Severity.NOTE,
        message="a client is built here",
        span=span_of("app/limits.py", "redis.Redis()"),
        fix=Fix("Use the project's client", "safe", ()),
        fingerprint="2" * 20,
    )
    allowed = replace(
        client,
        path="app/window.py",
        span=Span(2, 5, 2, 22),
        suppressed="allow",
        reason="kept as is",
        fingerprint="3" * 20,
    )
    known = replace(
        allowed,
        suppressed="baseline",
        reason="recorded in .redis-guard-baseline.json",
        code="RG401",
        fingerprint="4" * 20,
    )
    unread = Finding(
        "RG001",
        "unparsable-file",
        Severity.ERROR,
        "not UTF-8: byte 0xff",
        "broken.py",
        Span(1, 1, 1, 1),
        fingerprint="5" * 20,
    )
    return pair, lifetime, client, allowed, known, unread


def sample_report() -> Report:
    return Report(findings(), files=812, analysed=41, sources=FILES.get, version="0.1.0")
