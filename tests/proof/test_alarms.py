"""The fixtures of fixes against the checker: what is to be fixed is reported, and what is fixed is not."""

import pytest

from redis_guard.rules import load_rules
from tests.proof.fixture import Fixture, load
from tests.rules.test_fixtures import reported

FIXTURES = load()
RULES = {rule.code: rule for rule in load_rules()}


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_the_fault_of_a_fixture_is_reported(fixture: Fixture) -> None:
    assert alarms(fixture, fixture.original)


@pytest.mark.parametrize(
    "fixture", [fixture for fixture in FIXTURES if not fixture.withheld], ids=lambda fixture: fixture.name
)
def test_a_fixed_program_is_not_reported_again(fixture: Fixture) -> None:
    assert not alarms(fixture, fixture.expected)


def alarms(fixture: Fixture, text: bytes) -> set[tuple[str, int, int]]:
    return reported(RULES[fixture.rule], {"program.py": text.decode("utf-8-sig")})
