"""Which rules are on: by code, prefix, name or ALL; the more exact word wins."""

import pytest

from redis_guard.finding import Severity
from redis_guard.rule_names import rule_names
from redis_guard.rules import load_rules
from redis_guard.select import RuleEntry, SelectorError, chosen, refuse_unknown, severities, unknown_rule

RULES = (
    RuleEntry("RG101", "direct-call", Severity.ERROR, True),
    RuleEntry("RG201", "set-then-expire", Severity.ERROR, True),
    RuleEntry("RG213", "destructive-pop", Severity.WARNING, False),
)

NAMES = {rule.code: rule.name for rule in RULES}


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
        refuse_unknown(NAMES, ("set-than-expire",), "pyproject.toml")


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("RG9", "; codes begin with RG1, RG2;"),
        ("RG299", "; RG2 has RG201 to RG213;"),
        ("rg2011", "; RG2 has RG201 to RG213;"),
        ("RG", None),
        ("RG2", None),
        ("RGG201", '; did you mean "RG201"?;'),
        ("destructive", '; did you mean "destructive-pop"?;'),
        ("nothing-like-it", ";"),
    ],
)
def test_a_wrong_number_suggests_no_unrelated_rule(selector: str, hint: str | None) -> None:
    if hint is None:
        refuse_unknown(NAMES, (selector,), "x")
    else:
        assert f"no rule is called {selector!r}{hint} `redis-guard rule --all`" in unknown_rule(
            selector, NAMES
        )


def test_names_are_known_without_loading_a_rule() -> None:
    assert rule_names() == {rule.code: rule.name for rule in load_rules()}


def test_a_severity_is_overridden_by_the_most_exact_selector() -> None:
    found = severities(RULES, {"RG2": "note", "RG201": "warning"})
    assert found == {"RG201": Severity.WARNING, "RG213": Severity.NOTE}
