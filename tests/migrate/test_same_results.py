"""Programs before and after their migration do the same on a real server, for several inputs each."""

import pytest

from redis_guard.testing import Server
from tests.migrate.playing import play
from tests.migrate.programs import BOTH, Program


@pytest.mark.parametrize("program", BOTH, ids=lambda program: program.name)
def test_results_keys_and_lifetimes(server: Server, program: Program) -> None:
    before = play(program.before, program.steps, server)
    after = play(program.after, program.steps, server)

    assert after == before
    assert len(before) >= 2 * len(program.steps)
