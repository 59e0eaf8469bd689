"""One server for all proofs; `REDIS_GUARD_SERVER` names another executable than the Valkey of the wheel."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from redis_guard.testing import Server
from tests.proof.bench import Bench


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    named = os.environ.get("REDIS_GUARD_SERVER")
    with Server(Path(named) if named else None) as server:
        bench = Bench(server)
        yield bench
        bench.close()
