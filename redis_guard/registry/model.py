"""What a registry says, once it is known to be right: plain data with look-ups.

Law of this file: nothing here is checked again; whatever breaks a rule of the registry never becomes one
of these values. Durations are whole milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from redis_guard.nearest import nearest_names
from redis_guard.registry.durations import DurationRange
from redis_guard.registry.lookup import best_match
from redis_guard.registry.problems import Place, Problem
from redis_guard.registry.templates import KeyTemplate

Primitive = Literal["lock", "claim", "counter", "signal"]
FailurePolicy = Literal["closed", "open", "fallback"]
KeyClass = Literal["cache", "durable", "coordination"]
Encoding = Literal["percent", "raw"]

DEFAULT_NAMESPACE = "coordination"
DEFAULT_INSTANCE = "default"
DEFAULT_DEADLINE_MS = 250
DEFAULT_CONNECT_DEADLINE_MS = 1_000
DEFAULT_REREAD_MS = 60_000


@dataclass(frozen=True, slots=True)
class Owner:
    """The team that is paged."""

    name: str
    contact: str
    description: str
    place: Place


@dataclass(frozen=True, slots=True)
class UseCase:
    """One registered coordination purpose. Fields that its primitive lacks keep their defaults."""

    name: str
    primitive: Primitive
    owner: str
    description: str
    failure: FailurePolicy
    fallback: int | None
    """The count that stands in when Redis is away; None unless `failure` is `fallback`."""
    ttl_ms: int | None
    """Lease, claim's life or window; None for `ttl: none` and for signals, which store nothing."""
    reason: str
    key: KeyTemplate
    """The key with namespace and name filled in; of a signal, the channel."""
    explicit_key: bool
    """The file gives the key, rather than the default."""
    encoding: Encoding
    version: int
    deadline_ms: int
    instance: str
    place: Place
    wait_ms: int = 0
    renew: bool = False
    max_hold_ms: int | None = None
    fencing: bool = False
    reentrant: bool = False
    replicas: int = 0
    limit: int | None = None
    reread_ms: int = DEFAULT_REREAD_MS


@dataclass(frozen=True, slots=True)
class Keyspace:
    """A declared family of raw keys."""

    key: KeyTemplate
    key_class: KeyClass
    owner: str
    description: str
    ttl: DurationRange | Literal["required", "none"]
    reason: str
    type: str | None
    jitter_ms: int | None
    instance: str
    place: Place

    @property
    def name(self) -> str:
        """A keyspace is called by its key template."""
        return self.key.text


Entry = UseCase | Keyspace


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on a key is long, a string big (both in bytes), a collection big (in elements)."""

    key_bytes: int = 100
    string_bytes: int = 10_240
    elements: int = 5_000


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything that one set of registry files declares."""

    namespace: str = DEFAULT_NAMESPACE
    owners: Mapping[str, Owner] = field(default_factory=dict)
    use_cases: Mapping[str, UseCase] = field(default_factory=dict)
    keyspaces: tuple[Keyspace, ...] = ()
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    vocabulary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """A word and the synonyms that stand for it and are reported."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Class of key -> what its keys begin with."""
    limits: Limits = Limits()
    deadline_ms: int = DEFAULT_DEADLINE_MS
    connect_deadline_ms: int = DEFAULT_CONNECT_DEADLINE_MS
    problems: tuple[Problem, ...] = ()
    """What rules report of a registry that can be read: `overlapping-keys` and `shared-prefix`."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Use cases, then keyspaces, in the order of the files."""
        return (*self.use_cases.values(), *self.keyspaces)

    def use_case(self, name: str) -> UseCase | None:
        """The use case of that name."""
        return self.use_cases.get(name)

    def close_names(self, name: str) -> tuple[str, ...]:
        """Up to three names of use cases that resemble `name`, the closest first."""
        return nearest_names(name, self.use_cases)

    def entry_for_key(self, template: str) -> Entry | None:
        """The use case (not a signal) or keyspace that keys of the code's `template` belong to.

        `template` is literal text with holes `{}` or `{anything}`; `{{` and `}}` are braces. None unless
        all literal text of the entry stands literally in the code: `{}:{}` is nobody's.
        """
        entries = tuple(entry for entry in self.entries if not is_signal(entry))
        return best_match(template, entries)

    def keyspace_for(self, template: str) -> Keyspace | None:
        """The keyspace that keys of the code's `template` belong to, as `entry_for_key` finds it."""
        entry = self.entry_for_key(template)
        return entry if isinstance(entry, Keyspace) else None

    def signal_for_channel(self, template: str) -> UseCase | None:
        """The signal whose channel the code's `template` names, by the same comparison."""
        return best_match(template, tuple(case for case in self.use_cases.values() if is_signal(case)))


def is_signal(entry: Entry) -> bool:
    """Its `key` is a channel, which lives apart from keys."""
    return isinstance(entry, UseCase) and entry.primitive == "signal"


EMPTY_REGISTRY = Registry()
"""The registry of a project that has none: no entry, all defaults."""
