"""Programs before and after the migration of one use case."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from redis_guard.migrating import Migrated, migrate
from redis_guard.registry import Registry
from redis_guard.registry.loader import Source, load_sources
from redis_guard.testing import Server

Project = Callable[..., Path]

CONFIG = '[tool.redis-guard]\ncoordination = "app.coordination:coordination"\n'
REGISTRY = """\
version: 1
owners: {billing: {contact: "#billing", description: "Invoicing and exports"}}
use_cases:
  settling:
    primitive: lock
    owner: billing
    ttl: 30s
    wait: 5s
    failure: closed
    description: One settlement per order
    key: "settle:{order}"
  export:
    primitive: claim
    owner: billing
    ttl: 60s
    failure: closed
    description: One export of each batch
    key: "export:{batch}"
  attempts:
    primitive: counter
    owner: billing
    ttl: 60s
    failure: closed
    description: Failed logins of an account
    key: "login:{account}:attempts"
  flags:
    primitive: signal
    owner: billing
    failure: closed
    description: The flags have changed somewhere
    channel: "flags"
"""
SYNC = "import redis\n\nr = redis.Redis()\n\n\n"
ASYNC = "import redis.asyncio as redis\n\nr = redis.Redis()\n\n\n"
_MODULE = """\
from redis_guard.runtime{} import Coordination

coordination = Coordination.from_file("redis_guard.yaml")
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What one migration made of `app/main.py`."""

    migrated: Migrated
    root: Path
    text: str | None
    """What stands behind the head and the import; None where the file was left alone."""

    @property
    def reasons(self) -> list[str]:
        return [said.text for said in self.migrated.left]

    @property
    def notes(self) -> list[str]:
        return [said.text for said in self.migrated.notes]


def write_project(
    project: Project,
    code: str,
    *,
    asynchronous: bool = False,
    registry: str = REGISTRY,
    files: Mapping[str, str] | None = None,
    config: str = CONFIG,
) -> Path:
    """A project whose `app/main.py` is `code`."""
    return project(
        {
            "app/__init__.py": "",
            "app/coordination.py": _MODULE.format(".aio" if asynchronous else ""),
            "app/main.py": code,
            "redis_guard.yaml": registry,
            **(files or {}),
        },
        config=config,
    )


@pytest.fixture
def migrated(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Migrate a use case; `code` stands behind a client `r`."""

    def run(
        code: str,
        use_case: str = "settling",
        *,
        head: str | None = None,
        asynchronous: bool = False,
        registry: str = REGISTRY,
        files: Mapping[str, str] | None = None,
        config: str = CONFIG,
    ) -> Done:
        if head is None:
            head = ASYNC if asynchronous else SYNC
        root = write_project(
            project, head + code, asynchronous=asynchronous, registry=registry, files=files, config=config
        )
        monkeypatch.chdir(root)
        made = migrate((), use_case, write=False, use_cache=False, jobs=1)
        change = next((change for change in made.changes if change.path == "app/main.py"), None)
        text = None if change is None else change.texts[1]
        if text is not None and "import redis" in head:
            marker = "r = redis.Redis()\n\n\n"
            text = text.partition(marker)[2] if marker in text else text
        return Done(made, root, text)

    return run


@pytest.fixture(scope="session")
def session_server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def server(session_server: Server) -> Server:
    """Shared by the tests of this folder, and empty."""
    session_server.flush()
    return session_server


def loaded_registry(text: str = REGISTRY) -> Registry:
    """The registry with a deadline that a busy machine keeps."""
    return load_sources([Source("redis_guard.yaml", f"deadline: 5s\nconnect_deadline: 5s\n{text}".encode)])
