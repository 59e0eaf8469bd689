from dataclasses import dataclass

import pytest

from tests.generate.readme_rules import BEGIN, END, between_markers, table


@dataclass(frozen=True)
class Row:
    code: str
    name: str
    default: bool = True


def test_a_family_is_a_row_and_its_rules_are_ordered_by_code() -> None:
    lines = table(
        [Row("RG702", "flush"), Row("RG101", "direct-call"), Row("RG701", "keys-command")]
    ).splitlines()

    assert lines[2:] == [
        "| Direct use | RG101 direct-call |",
        "| Commands | RG701 keys-command, RG702 flush |",
    ]


def test_a_rule_that_is_off_is_marked() -> None:
    (row,) = table(
        [Row("RG701", "keys-command"), Row("RG705", "blocking-delete", default=False)]
    ).splitlines()[2:]

    assert row == "| Commands | RG701 keys-command, RG705 blocking-delete ° |"


def test_only_what_stands_between_the_markers_is_replaced() -> None:
    assert between_markers(f"a\n{BEGIN}old\n{END}b\n", "new\n") == f"a\n{BEGIN}new\n{END}b\n"


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(ValueError, match="rules:end"):
        between_markers(f"a\n{BEGIN}old\n", "new\n")
