"""Each shape, of threads and of asyncio: the very text, no direct call left, nothing to do a second time."""

import ast
from collections.abc import Callable

import pytest

from redis_guard.check import check
from redis_guard.migrating import migrate
from redis_guard.options import Options
from tests.migrate.conftest import Done
from tests.migrate.programs import BOTH, Program


@pytest.mark.parametrize("program", BOTH, ids=lambda program: program.name)
def test_the_text(migrated: Callable[..., Done], program: Program) -> None:
    done = migrated(program.before, program.use_case, asynchronous="async def" in program.before)

    assert done.reasons == []
    assert done.text == program.after


@pytest.mark.parametrize("program", BOTH, ids=lambda program: program.name)
def test_it_parses_has_no_direct_call_and_stays(migrated: Callable[..., Done], program: Program) -> None:
    done = migrated(program.before, program.use_case, asynchronous="async def" in program.before)
    [change] = done.migrated.changes
    (done.root / "app/main.py").write_bytes(change.after)

    again = migrate((), program.use_case, write=False, use_cache=False, jobs=1)
    found = check(Options(paths=("app/main.py",), use_cache=False, jobs=1)).report.open

    ast.parse(change.texts[1])
    assert (again.changes, again.left) == ((), ())
    assert not {finding.code for finding in found} & {"RG101", "RG103", "RG501", "RG502", "RG801", "RG802"}
    assert change.sites == done.migrated.rewritten > 0
