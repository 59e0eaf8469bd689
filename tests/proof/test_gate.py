"""Which server has what a program needs."""

import pytest

from redis_guard.testing.binary import Version
from tests.proof.gate import runs_on


@pytest.mark.parametrize(
    ("requires", "version", "runs"),
    [
        ("", Version("Redis", (6, 2, 14)), True),
        ("7.0", Version("Redis", (6, 2, 14)), False),
        ("7.0", Version("Redis", (7, 0, 15)), True),
        ("7", Version("Redis", (7, 0, 15)), True),
        ("7.0", Version("Valkey", (9, 1, 2)), True),
        ("7.2", Version("Valkey", (9, 1, 2)), True),
        ("7.4", Version("Valkey", (9, 1, 2)), False),
        ("8.0", Version("Valkey", (9, 1, 2)), False),
    ],
)
def test_valkey_counts_as_the_redis_that_it_left(requires: str, version: Version, runs: bool) -> None:
    assert runs_on(requires, version) is runs


def test_what_is_no_version_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'seven' is no version of Redis, like 7\.0"):
        runs_on("seven", Version("Redis", (7, 0)))
