"""Each pair in `fixtures/fixes`: reported before, silent afterwards, and proven by running both."""

import pytest

from tests.proof.bench import Bench
from tests.proof.crash import prove_crash
from tests.proof.fixture import Fixture, load
from tests.proof.gate import runs_on
from tests.proof.prove import Refused, prove_same

FIXTURES = load()
FIXED = [fixture for fixture in FIXTURES if not fixture.withheld]
WITHHELD = [fixture for fixture in FIXTURES if fixture.withheld]


def named(fixtures: list[Fixture]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fixture", fixtures, ids=lambda fixture: fixture.name)


@named(FIXED)
def test_the_fix_of_a_fixture_is_proven(bench: Bench, fixture: Fixture) -> None:
    leave_out(bench, fixture)
    pair = fixture.pair(fixture.expected)
    prove_same(bench, pair)
    prove_crash(bench, pair)


@named([fixture for fixture in FIXTURES if fixture.wrong is not None])
def test_what_a_fixer_that_knew_less_would_make_is_refused(bench: Bench, fixture: Fixture) -> None:
    leave_out(bench, fixture)
    assert fixture.wrong is not None
    pair = fixture.pair(fixture.wrong)
    with pytest.raises(Refused):
        prove_same(bench, pair, shrink=False)
        prove_crash(bench, pair, shrink=False)


def leave_out(bench: Bench, fixture: Fixture) -> None:
    if fixture.idle:
        pytest.skip(fixture.idle)
    if not runs_on(fixture.requires, bench.server.version):
        pytest.skip(f"needs Redis {fixture.requires}")
