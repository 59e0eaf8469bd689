"""Each rule against its fixture file: every marked line is reported, and nothing else."""

import re
from pathlib import Path

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames
from redis_guard.registry import EMPTY_REGISTRY
from redis_guard.rule import OfModule, OfProject, OfTool, Rule
from redis_guard.rules import load_rules

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
MARK = re.compile(r"# ((?:RG\d{3}: \d+(?:, )?)+)")


def marked(text: str, code: str) -> set[tuple[int, int]]:
    return {
        (number, int(column))
        for number, line in enumerate(text.splitlines(), start=1)
        for mark in MARK.findall(line)
        for found, column in re.findall(r"(RG\d{3}): (\d+)", mark)
        if found == code
    }


def reported(rule: Rule, path: str, text: str) -> set[tuple[int, int]]:
    project = link([module_facts(path, text)], ModuleNames([path]), Settings()).project
    if isinstance(rule.scope, OfModule):
        reports = [
            report for module in project.modules for report in rule.scope.check(module, EMPTY_REGISTRY)
        ]
    else:
        assert isinstance(rule.scope, OfProject)
        reports = list(rule.scope.check(project, EMPTY_REGISTRY))
    return {(report.span.line, report.span.column) for report in reports}


JUDGING = [rule for rule in load_rules() if not isinstance(rule.scope, OfTool)]


@pytest.mark.parametrize("rule", JUDGING, ids=lambda rule: rule.code)
def test_a_rule_reports_its_marked_lines_and_no_other(rule: Rule) -> None:
    name = f"{rule.code.lower()}_{rule.name.replace('-', '_')}.py"
    text = (FIXTURES / name).read_text()
    assert reported(rule, name, text) == marked(text, rule.code)


@pytest.mark.parametrize("rule", JUDGING, ids=lambda rule: rule.code)
def test_a_fixture_holds_a_hit_and_a_near_miss(rule: Rule) -> None:
    text = (FIXTURES / f"{rule.code.lower()}_{rule.name.replace('-', '_')}.py").read_text()
    assert marked(text, rule.code), "no hit"
    assert "def near_miss" in text, "no function whose name begins with near_miss"


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, example) for rule in JUDGING for example in rule.examples],
    ids=lambda value: getattr(value, "code", ""),
)
def test_an_example_is_reported_when_bad_and_silent_when_good(rule: Rule, example) -> None:
    assert reported(rule, "example.py", example.setup + "\n" + example.bad + "\n")
    assert not reported(rule, "example.py", example.setup + "\n" + example.good + "\n")
