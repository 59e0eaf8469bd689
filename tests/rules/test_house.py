"""The house: names, codes and pages of the rules."""

import re
from pathlib import Path

import pytest

import redis_guard.rules
from redis_guard.rule import Rule
from redis_guard.rules import load_rules

FOLDER = Path(redis_guard.rules.__file__).parent
RULES = load_rules()


def test_every_file_in_the_folder_is_a_rule_of_its_name() -> None:
    files = {path.stem for path in FOLDER.glob("rg*.py")}
    assert files == {f"{rule.code.lower()}_{rule.name.replace('-', '_')}" for rule in RULES}


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_says_what_why_instead_and_fix(rule: Rule) -> None:
    for heading in ("What: ", "Why it hurts: ", "Instead: ", "Fix: "):
        assert re.search(rf"^{heading}\S", rule.doc, re.MULTILINE), heading
    assert rule.summary.endswith(".")
    assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since)
    assert re.fullmatch(r"RG\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
