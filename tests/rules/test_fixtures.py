"""Each rule against its fixture file: every marked line is reported, and nothing else."""

import re
from pathlib import Path

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.fixes.choose import apply_fixes
from redis_guard.mending import Mender
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames
from redis_guard.registry import EMPTY_REGISTRY, Registry, Source, read_sources
from redis_guard.rule import Example, OfModule, OfProject, OfRegistry, OfTool, Rule
from redis_guard.rules import load_rules

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
MARK = re.compile(r"# ((?:RG\d{3}: \d+(?:, )?)+)")
Places = set[tuple[str, int, int]]


def fixtures(rule: Rule) -> dict[str, str]:
    """The files of a rule by name: code, a registry, or both."""
    stem = f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    return {path.name: path.read_text() for path in FIXTURES.glob(f"{stem}.*")}


def registry_of(rule: Rule, own: str = "", name: str = "redis_guard.yaml") -> Registry:
    """A registry of the rule's own; else, for rules about registered use cases, the one that they share."""
    shared = (FIXTURES / "redis_guard.yaml").read_text() if rule.code.startswith("RG5") else ""
    text = own or shared
    return read_sources([Source(name, text.encode)]) if text else EMPTY_REGISTRY


def marked(files: dict[str, str], code: str) -> Places:
    return {
        (name, number, int(column))
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), start=1)
        for mark in MARK.findall(line)
        for found, column in re.findall(r"(RG\d{3}): (\d+)", mark)
        if found == code
    }


def reported(rule: Rule, files: dict[str, str]) -> Places:
    code = {name: text for name, text in files.items() if name.endswith(".py")}
    own = next((name for name in files if name.endswith(".yaml")), "")
    registry = registry_of(rule, files.get(own, ""), own or "redis_guard.yaml")
    linked = link([module_facts(*file) for file in code.items()], ModuleNames(code), Settings())
    assert not linked.tracebacks, linked.tracebacks
    project = linked.project
    if isinstance(rule.scope, OfModule):
        reports = [report for module in project.modules for report in rule.scope.check(module, registry)]
    elif isinstance(rule.scope, OfProject):
        reports = list(rule.scope.check(project, registry))
    else:
        assert isinstance(rule.scope, OfRegistry)
        reports = list(rule.scope.check(registry))
    return {(report.path, report.span.line, report.span.column) for report in reports}


def example_files(example: Example, code: str) -> dict[str, str]:
    name = "example.yaml" if example.language == "yaml" else "example.py"
    return {name: f"{example.setup}\n{code}\n"}


JUDGING = [rule for rule in load_rules() if not isinstance(rule.scope, OfTool)]


@pytest.mark.parametrize("rule", JUDGING, ids=lambda rule: rule.code)
def test_a_rule_reports_its_marked_lines_and_no_other(rule: Rule) -> None:
    files = fixtures(rule)
    assert reported(rule, files) == marked(files, rule.code)


@pytest.mark.parametrize("rule", JUDGING, ids=lambda rule: rule.code)
def test_a_fixture_holds_a_hit_and_a_near_miss(rule: Rule) -> None:
    files = fixtures(rule)
    assert marked(files, rule.code), "no hit"
    assert any("def near_miss" in text or "# near misses" in text for text in files.values()), "no near miss"


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, example) for rule in JUDGING for example in rule.examples],
    ids=lambda value: getattr(value, "code", ""),
)
def test_an_example_is_reported_when_bad_and_silent_when_good(rule: Rule, example: Example) -> None:
    assert reported(rule, example_files(example, example.bad))
    assert not reported(rule, example_files(example, example.good))


def mended(rule: Rule, files: dict[str, str]) -> str:
    """The program of an example after its fixes."""
    [(name, text)] = files.items()
    module = link([module_facts(name, text)], ModuleNames(files), Settings()).project
    if isinstance(rule.scope, OfModule):
        reports = list(rule.scope.check(module.modules[0], registry_of(rule)))
    else:
        assert isinstance(rule.scope, OfProject)
        reports = list(rule.scope.check(module, registry_of(rule)))
    mender = Mender(files.get, (6, 2))
    return apply_fixes(text, [fix for report in reports if (fix := mender.fix(report))]).text


@pytest.mark.parametrize(
    ("rule", "example"),
    [
        (rule, example)
        for rule in JUDGING
        if rule.fix != "none"
        for example in rule.examples
        if not example.by_hand
    ],
    ids=lambda value: getattr(value, "code", ""),
)
def test_a_good_example_is_what_the_fix_makes_of_the_bad_one(rule: Rule, example: Example) -> None:
    [good] = example_files(example, example.good).values()
    assert mended(rule, example_files(example, example.bad)).rstrip() == good.rstrip()
