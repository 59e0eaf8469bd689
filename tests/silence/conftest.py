"""Rules, marks and findings for tests of silence."""

import ast
import re
from collections.abc import Callable

import pytest

from redis_guard.facts import marks
from redis_guard.finding import Finding, Severity, Span
from redis_guard.silence.inline import FileMarks


def read_marks(text: str) -> FileMarks:
    return FileMarks(*marks.read_marks(text))


NAMES = {
    "RG001": "unparsable-file",
    "RG002": "unused-allow",
    "RG003": "allow-without-reason",
    "RG101": "direct-call",
    "RG102": "direct-client",
    "RG201": "set-then-expire",
    "RG202": "incr-then-expire",
    "RG401": "missing-ttl",
    "RG601": "key-naming",
}


@pytest.fixture
def names() -> dict[str, str]:
    return NAMES


@pytest.fixture(name="marks")
def marks_fixture() -> Callable[[str], FileMarks]:
    return read_marks


@pytest.fixture
def find() -> Callable[..., list[Finding]]:
    return find_calls


def find_calls(
    text: str, code: str = "RG101", path: str = "app/limits.py", needle: str = "r."
) -> list[Finding]:
    """A finding on each `r.…(…)` of a source, as a rule would make it."""
    plain = re.sub(r"\r\n?", "\n", text)
    found = []
    for node in ast.walk(ast.parse(plain)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(needle):
            line = plain.split("\n")[node.lineno - 1].encode()
            end_line = plain.split("\n")[node.end_lineno - 1].encode()
            span = Span(
                node.lineno,
                len(line[: node.col_offset].decode()) + 1,
                node.end_lineno,
                len(end_line[: node.end_col_offset].decode()) + 1,
            )
            found.append(Finding(code, NAMES[code], Severity.ERROR, "a direct call", path, span))
    return sorted(found, key=lambda finding: finding.sort_key)
