"""What `[tool.redis-guard]` says, once it is known to be right.

Law of this file: plain data; paths are absolute, patterns are those of gitignore, relative to the project
root, and rule selectors stay text, since the rules are unknown here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from redis_guard.plain_files import is_there

SeverityName = Literal["error", "warning", "note"]

DEFAULT_REGISTRY = "redis_guard.yaml"
DEFAULT_BASELINE = ".redis-guard-baseline.json"
DEFAULT_CACHE = ".redis_guard_cache"
DEFAULT_TARGET_SERVER = "6.2"


@dataclass(frozen=True, slots=True)
class Allow:
    """Files matching `paths` are exempt from `rules` (codes, prefixes of codes, or names)."""

    paths: tuple[str, ...]
    rules: tuple[str, ...]
    reason: str


TEST_ESCAPE = Allow(
    paths=("**/tests/**", "test_*.py", "conftest.py"),
    rules=(
        *(
            "RG1",
            "RG210",
            "RG211",
            "RG213",
            "RG302",
            "RG303",
            "RG305",
            "RG306",
            "RG401",
            "RG402",
            "RG407",
            "RG408",
        ),
        *("RG503", "RG506", "RG6", "RG7", "RG803", "RG805", "RG806"),
    ),
    reason="tests talk to Redis directly, take names as parameters, clear up behind them, and nobody competes there",
)
"""Holds in every project, beside the allows of its own."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one run, with defaults filled in; `default_config` makes one from a root alone."""

    root: Path
    """The project: knowledge comes from all of it, and reported paths are relative to it."""
    baseline: Path
    """Where the baseline is or would be; the file need not exist."""
    cache_dir: Path
    src: tuple[Path, ...]
    """Where top-level modules and packages lie."""
    source: Path | None = None
    """The file the settings come from, if any."""
    registry: tuple[Path, ...] = ()
    """Existing files, each once, in the order of the patterns."""
    select: tuple[str, ...] | None = None
    """None selects what is on by default."""
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severity: Mapping[str, SeverityName] = field(default_factory=dict)
    fail_on: SeverityName = "warning"
    exclude: tuple[str, ...] = ()
    allow: tuple[Allow, ...] = (TEST_ESCAPE,)
    """The project's allows, and the escape for tests as the last."""
    clients: tuple[str, ...] = ()
    not_clients: tuple[str, ...] = ()
    guess: bool = True
    target_server: str = DEFAULT_TARGET_SERVER
    coordination: str | None = None
    """`module:attribute` of the object that the runtime is reached through."""
    jobs: int | None = None
    """Processes; None lets the tool decide."""

    lines: Mapping[str, int | None] = field(default_factory=dict)
    """What the file gives, and at which line of it if that is known: keys, `severity.RULE`, `allow.NUMBER` from 0."""

    def where(self, key: str) -> str:
        """The place of a key for messages: `pyproject.toml:7`, with the path in full."""
        line = self.lines.get(key)
        source = "configuration" if self.source is None else str(self.source)
        return source if line is None else f"{source}:{line}"

    @property
    def registry_names(self) -> tuple[str, ...]:
        """The registry's files as reports name them: below the root relative to it, elsewhere in full."""
        return tuple(
            (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()
            for path in self.registry
        )

    @property
    def server_version(self) -> tuple[int, int]:
        """`target_server` as major and minor number."""
        major, _, rest = self.target_server.partition(".")
        return int(major), int(rest.partition(".")[0] or 0)


def default_config(root: Path) -> Config:
    """What holds where nothing is configured."""
    registry = root / DEFAULT_REGISTRY
    return Config(
        root=root,
        baseline=root / DEFAULT_BASELINE,
        cache_dir=root / DEFAULT_CACHE,
        src=(root, root / "src"),
        registry=(registry,) if is_there(registry) else (),
    )
