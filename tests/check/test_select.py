"""Which rules are on: by code, prefix, name or ALL; the more exact word wins."""

import pytest

from redis_guard.finding import Severity
from redis_guard.select import RuleEntry, SelectorError, chosen, refuse_unknown, severities

RULES = (
    RuleEntry("RG101", "direct-call", Severity.ERROR, True),
    RuleEntry("RG201", "set-then-expire", Severity.ERROR, True),
    RuleEntry("RG213", "destructive-pop", Severity.WARNING, False),
)


@pytest.mark.parametrize(
    ("select", "ignore", "extend", "on"),
    [
        (None, (), (), {"RG101", "RG201"}),
        (None, (), ("RG213",), {"RG101", "RG201", "RG213"}),
        (None, ("RG2",), (), {"RG101"}),
        (("ALL",), (), (), {"RG101", "RG201", "RG213"}),
        (("all",), ("destructive-pop",), (), {"RG101", "RG201"}),
        (("rg2",), (), (), {"RG201", "RG213"}),
        (("RG2",), ("RG213",), (), {"RG201"}),
        (("RG213",), ("RG2",), (), {"RG213"}),
        (("set-then-expire",), (), (), {"RG201"}),
        (("ALL",), ("RG",), (), set()),
        ((), (), (), set()),
    ],
)
def test_selection(
    select: tuple[str, ...] | None, ignore: tuple[str, ...], extend: tuple[str, ...], on: set[str]
) -> None:
    assert chosen(RULES, select, ignore, extend) == on


def test_a_selector_that_means_nothing_says_where_it_stands_and_what_is_close() -> None:
    with pytest.raises(
        SelectorError, match=r"^pyproject.toml: no rule is called 'set-than-expire'; did you mean"
    ):
        refuse_unknown(RULES, ("set-than-expire",), "pyproject.toml")


def test_a_severity_is_overridden_by_the_most_exact_selector() -> None:
    found = severities(RULES, {"RG2": "note", "RG201": "warning"})
    assert found == {"RG201": Severity.WARNING, "RG213": Severity.NOTE}
