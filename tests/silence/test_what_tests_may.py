"""What tests may do is said in one place: the escape that `--show-settings` lists."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.check import check
from redis_guard.config import TEST_ESCAPE
from redis_guard.options import Options
from redis_guard.rule import OfRegistry, OfTool, Rule
from redis_guard.rules import load_rules

Project = Callable[..., Path]

REPOSITORY = Path(__file__).parents[2]
REGISTRY = REPOSITORY / "fixtures" / "rules" / "redis_guard.yaml"
EXEMPT = [rule for rule in load_rules() if rule.code.startswith(TEST_ESCAPE.rules)]
# They judge by what other files do, and what tests do says nothing of that.
BY_OTHER_FILES = ("RG606", "RG705")


@pytest.mark.parametrize("rule", EXEMPT, ids=lambda rule: rule.code)
def test_what_a_test_may_do_is_found_and_silenced_with_the_reason(project: Project, rule: Rule) -> None:
    example = rule.examples[0]
    files = {"tests/test_it.py": f"{example.setup}\n{example.bad}\n"}
    if rule.code.startswith("RG5"):
        files["redis_guard.yaml"] = REGISTRY.read_text()
    options = Options(paths=(str(project(files)),), select=(rule.code,), use_cache=False)
    found = check(options).report.findings
    assert found or rule.code in BY_OTHER_FILES
    assert {(finding.suppressed, finding.reason) for finding in found} <= {("config", TEST_ESCAPE.reason)}


def test_a_rule_without_the_escape_judges_tests_too(project: Project) -> None:
    rule = next(rule for rule in load_rules() if rule.code == "RG202")
    example = rule.examples[0]
    root = project({"tests/test_it.py": f"{example.setup}\n{example.bad}\n"})
    report = check(Options(paths=(str(root),), select=("RG202",), use_cache=False)).report
    assert [finding.code for finding in report.open] == ["RG202"]


def test_no_rule_has_an_escape_of_its_own() -> None:
    """But for RG807, which lets tests have passwords of servers that are not on the internet."""
    asking = {
        path.name[:5].upper()
        for path in (REPOSITORY / "redis_guard" / "rules").glob("rg*.py")
        if ".test" in path.read_text(encoding="utf-8")
    }
    assert asking == {"RG807"}


def test_the_page_on_exceptions_has_the_same_list() -> None:
    page = (REPOSITORY / "docs" / "howto" / "exceptions.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ((?:RG\d+(?:, )?)+) \|", page.partition("## Tests")[2], re.MULTILINE)
    assert sorted(", ".join(told).split(", ")) == sorted(TEST_ESCAPE.rules)


def test_every_rule_that_is_named_exists() -> None:
    judging = [rule for rule in load_rules() if not isinstance(rule.scope, OfTool | OfRegistry)]
    assert all(any(rule.code.startswith(code) for rule in judging) for code in TEST_ESCAPE.rules)
