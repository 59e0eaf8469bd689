"""Which registered use cases some code is seen to use.

Law of this file: in doubt a use case is used. Code that goes round the runtime uses it too, through its key.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from redis_guard.behaviour.families import channels
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry, UseCase


@dataclass(frozen=True, slots=True)
class Usage:
    """What is known of a project's use of its registry."""

    names: frozenset[str]
    """Of use cases that are used."""
    blind: frozenset[str | None]
    """Primitives whose use cases may be used unseen; None stands for all of them."""
    unseen_keys: bool
    """Some call does not show the key that it works on."""

    def may_use(self, case: UseCase) -> bool:
        """Whether the use case is used, or may be without being seen."""
        if case.name in self.names or not self.blind.isdisjoint((case.primitive, None)):
            return True
        return case.explicit_key and self.unseen_keys


def usage(project: ProjectUses, registry: Registry) -> Usage:
    names: set[str] = set()
    blind: set[str | None] = set()
    unseen = False
    for module in project.modules:
        names |= module.texts
        for named in module.runtime_calls:
            names.update(said.text for said in named.names)
            if named.dynamic or named.unseen:
                blind.add(named.primitive)
        for call in module.calls:
            for key, entry in _entries(call, registry):
                if isinstance(entry, UseCase):
                    names.add(entry.name)
                unseen = unseen or not key.pieces or not isinstance(key.pieces[0], str)
    return Usage(frozenset(names), frozenset(blind), unseen)


def _entries(call: Call, registry: Registry) -> Iterator[tuple[Key, object]]:
    for key in call.keys:
        yield key, registry.entry_for_key(key.template)
    for channel in channels(call):
        yield channel, registry.signal_for_channel(channel.template)
