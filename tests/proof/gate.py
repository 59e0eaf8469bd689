"""Which servers a program can run on.

Law of this file: versions are those of Redis, and another server counts as the last Redis whose commands it has.
"""

import re

from redis_guard.testing.binary import Version

_VALKEY_COUNTS_AS = (7, 2)
"""Valkey left Redis after 7.2 and has its commands."""


def counts_as(version: Version) -> tuple[int, ...]:
    """The Redis whose commands the server has."""
    return _VALKEY_COUNTS_AS if version.product == "Valkey" else version.numbers


def numbers(version: str) -> tuple[int, ...]:
    """`7.0` as numbers; raises ValueError for what is no version."""
    if not re.fullmatch(r"\d+(\.\d+)*", version):
        raise ValueError(f"{version!r} is no version of Redis, like 7.0")
    return tuple(map(int, version.split(".")))


def runs_on(requires: str, version: Version) -> bool:
    """Whether the server has what a program needs; `requires` is empty if any will do."""
    return not requires or counts_as(version) >= numbers(requires)
