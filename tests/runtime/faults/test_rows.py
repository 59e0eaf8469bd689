"""The table of faults and the tests are held together."""

import re
from pathlib import Path

import pytest

from tests.runtime.faults.rows import ROWS

HERE = Path(__file__).parent


def written() -> set[str]:
    """All tests of this folder but these, as `file::test`."""
    return {
        f"{path.stem.removeprefix('test_')}::{name}"
        for path in HERE.glob("test_*.py")
        if path != Path(__file__)
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


@pytest.mark.parametrize("fault", list(ROWS))
def test_a_fault_has_a_promise_and_tests_that_there_are(fault: str) -> None:
    row = ROWS[fault]

    assert row.promise
    assert row.tests or row.left_out
    assert set(row.tests) <= written()


def test_every_test_is_in_the_table_once() -> None:
    named = [test for row in ROWS.values() for test in row.tests]

    assert sorted(named) == sorted(written())
