"""A real server, a registry of the keys that old code uses there, and a sink that keeps what it is told."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import redis

from redis_guard.registry import Registry, load_registry
from redis_guard.runtime.telemetry import Labels
from tests.generate.server import server

REGISTRY = """\
version: 1
owners:
  billing: {contact: "#billing"}
  identity: {contact: "#identity"}
use_cases:
  invoice_claim:
    {primitive: claim, owner: billing, ttl: 15m, failure: closed, description: One export of each invoice,
     key: "invoice:{id}"}
  batch_lock:
    {primitive: lock, owner: billing, ttl: 30s, failure: closed, description: One sender of each batch,
     key: "lock:{kind}:{id}"}
  logins:
    {primitive: counter, owner: identity, ttl: 10m, limit: 2, failure: closed, description: Logins of each account,
     key: "login:{id}:tries"}
  visits: {primitive: counter, owner: identity, ttl: 10m, failure: closed, description: Visits of all, key: visits}
  queries: {primitive: counter, owner: identity, ttl: 10m, failure: closed, description: Queries of each account}
  flags: {primitive: signal, owner: identity, failure: closed, description: Go read the flags, channel: "flags:{area}"}
keyspaces:
  "session:{id}": {class: cache, owner: identity, ttl: required, description: Web sessions}
"""

Line = tuple[str, str, str, str | None, tuple[object, ...]]


class Told:
    """A sink: what was told, as (primitive, use case, outcome, error class, identifiers)."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.seconds: list[float] = []
        self.owners: set[str] = set()

    def bind(self, labels: Labels) -> "ToldOfOne":
        return ToldOfOne(self, labels)

    def short(self) -> list[tuple[str, str]]:
        return [(use_case, outcome) for _, use_case, outcome, _, _ in self.lines]


class ToldOfOne:
    def __init__(self, told: Told, labels: Labels) -> None:
        self.told = told
        self.labels = labels

    def operation(
        self, outcome: str, error_class: str | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        line = (str(self.labels.primitive), self.labels.use_case, outcome, error_class, tuple(identifiers))
        self.told.lines.append(line)
        self.told.seconds.append(seconds)
        self.told.owners.add(self.labels.owner)

    def lock_wait(self, seconds: float) -> None: ...

    def lock_held(self, seconds: float) -> None: ...

    def leases(self, change: int) -> None: ...


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    path = Path(tmp_path_factory.mktemp("registry")) / "redis_guard.yaml"
    path.write_text(REGISTRY, encoding="utf-8")
    return load_registry([path])


@pytest.fixture(scope="session")
def _server() -> Iterator[redis.Redis]:
    with server() as client:
        yield client


@pytest.fixture
def socket(_server: redis.Redis) -> str:
    """The unix socket of an empty server."""
    _server.flushall()  # redis-guard: allow[RG702] the server was started for these tests alone
    path: str = _server.connection_pool.connection_kwargs["path"]
    return path
