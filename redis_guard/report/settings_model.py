"""The settings that hold for a run, and where each comes from: what the formats of `--show-settings` are given.

Law of this file: plain data; paths are relative to the root where they lie below it, with `/`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from redis_guard.finding import Severity

Value = str | int | bool | None | tuple[str, ...] | Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who said so: an option of the command line, else a line of a file, else nobody."""

    option: str | None = None
    path: str | None = None
    line: int | None = None
    """From 1; None where it cannot be told."""


DEFAULT = Origin()


@dataclass(frozen=True, slots=True)
class Setting:
    """One key, one rule's severity (`severity.RG701`) or one allow (`allow.0`, in the order that they are written)."""

    name: str
    value: Value
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """A rule as it is judged by, or is not."""

    code: str
    name: str
    on: bool
    severity: Severity
    origin: Origin
    """Of the severity."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them, in the order of the documentation."""

    root: str
    """Absolute."""
    source: str | None
    """The file with the table, if there is one."""
    settings: tuple[Setting, ...]
    rules: tuple[RuleSetting, ...]
    version: str
    """Of redis-guard."""
