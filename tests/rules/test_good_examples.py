"""What a page shows as good is good: no other rule has anything to say about it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.check import check
from redis_guard.options import Options
from redis_guard.rule import Example, Rule
from redis_guard.rules import load_rules
from tests.rules.test_fixtures import FIXTURES, example_files

Project = Callable[..., Path]

# Who may talk to Redis directly is each project's decision, and nearly every example does.
LEFT_OUT = ("RG1",)

EXAMPLES = [(rule, example) for rule in load_rules() for example in rule.examples]


def found(project: Project, rule: Rule, example: Example, code: str, ignore: tuple[str, ...]) -> list[str]:
    files = {
        name.replace("example.yaml", "redis_guard.yaml"): text
        for name, text in example_files(example, code).items()
    }
    if rule.code.startswith("RG5") and example.language == "python":
        files["redis_guard.yaml"] = (FIXTURES / "redis_guard.yaml").read_text()
    root = project(files)
    report = check(Options(paths=(str(root),), select=("ALL",), ignore=ignore, use_cache=False)).report
    # the registry that examples share has use cases which one of them does not need
    unasked = () if example.language == "yaml" else ("RG504",)
    return [f"{finding.code} {finding.message}" for finding in report.open if finding.code not in unasked]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_a_good_example_is_silent_under_every_rule(project: Project, rule: Rule, example: Example) -> None:
    assert found(project, rule, example, example.good, LEFT_OUT) == []


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_a_bad_example_is_reported_the_same_way(project: Project, rule: Rule, example: Example) -> None:
    """So the silence above is not that of a project in which nothing is seen."""
    assert any(said.startswith(rule.code) for said in found(project, rule, example, example.bad, ()))
