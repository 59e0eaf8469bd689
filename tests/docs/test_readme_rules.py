from dataclasses import dataclass

import pytest

from tests.generate.readme_rules import BEGIN, END, between_markers, table


@dataclass(frozen=True)
class Row:
    code: str
    name: str
    default: bool = True
    severity: str = "error"
    summary: str = "KEYS is called"


def test_rules_are_ordered_by_code() -> None:
    lines = table([Row("RG701", "keys-command"), Row("RG101", "direct-call")]).splitlines()

    assert [line.split(" | ")[0] for line in lines[2:]] == ["| RG101", "| RG701"]


def test_a_row_says_whether_the_rule_is_on() -> None:
    on, off = table(
        [Row("RG701", "keys-command"), Row("RG705", "blocking-delete", default=False)]
    ).splitlines()[2:]

    assert on == "| RG701 | keys-command | ✓ | error | KEYS is called |"
    assert off == "| RG705 | blocking-delete |  | error | KEYS is called |"


def test_a_bar_in_a_summary_does_not_end_its_cell() -> None:
    assert table([Row("RG404", "ttl-unit", summary="s|ms")]).endswith("| s\\|ms |\n")


def test_only_what_stands_between_the_markers_is_replaced() -> None:
    assert between_markers(f"a\n{BEGIN}old\n{END}b\n", "new\n") == f"a\n{BEGIN}new\n{END}b\n"


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(ValueError, match="rules:end"):
        between_markers(f"a\n{BEGIN}old\n", "new\n")
