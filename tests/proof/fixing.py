"""What a fixer makes of a fixture, held against what it is to make of it.

Law of this file: bytes are compared, so that a lost tab, carriage return or byte order mark is seen.
"""

import difflib
from collections.abc import Callable

from tests.proof.fixture import Fixture

Fixer = Callable[[Fixture], bytes]
"""Gives the fixed file. It applies the fixes of `fixture.rule` alone, unsafe ones too if `fixture.safety` is unsafe,
for the server `fixture.target_server` (empty: not told)."""


def mismatch(fixture: Fixture, fixer: Fixer) -> str:
    """The difference between what was expected and what the fixer gave, line by line; empty if there is none."""
    expected, got = fixture.expected, fixer(fixture)
    if got == expected:
        return ""
    lines = difflib.unified_diff(_lines(expected), _lines(got), "expected", "got", lineterm="")
    return "\n".join((f"{fixture.name}:", *lines))


def _lines(text: bytes) -> list[str]:
    """With what ends each line made visible."""
    return [repr(line)[2:-1] for line in text.splitlines(keepends=True)]
