"""Which registered use cases some code is seen to use.

Law of this file: in doubt a use case is used. Code that goes round the runtime uses it too, through its key.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from redis_guard.behaviour.families import channels
from redis_guard.commands import command
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry, UseCase
from redis_guard.registry.intersection import common_text, steps_of
from redis_guard.registry.lookup import code_parts
from redis_guard.registry.model import is_signal


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

    @cache
    def meeting(template: str, channel: bool) -> frozenset[str]:
        return frozenset(_meeting(template, channel, registry))

    for module in project.modules:
        names |= module.texts
        for named in module.runtime_calls:
            names.update(said.text for said in named.names)
            if named.dynamic or named.unseen:
                blind.add(named.primitive)
        for call in (*module.calls, *module.lent):
            spoken = (*((key, False) for key in call.keys), *((channel, True) for channel in channels(call)))
            for key, channel in spoken:
                names |= meeting(key.template, channel)
                unseen = unseen or not key.pieces or not isinstance(key.pieces[0], str)
            unseen = unseen or _hides_keys(call)
            if _hears_unseen(call):
                blind.add("signal")
    return Usage(frozenset(names), frozenset(blind), unseen)


def _meeting(template: str, channel: bool, registry: Registry) -> Iterator[str]:
    """The use cases whose keys (or channels) what the code writes can be; a hole of the code may be anything."""
    parts = code_parts(template)
    head = parts[0] if parts and isinstance(parts[0], str) else ""
    if not head:
        return
    steps = steps_of(parts)
    for case in registry.use_cases.values():
        own = case.key.parts[0] if isinstance(case.key.parts[0], str) else ""
        if is_signal(case) == channel and (head.startswith(own) or own.startswith(head)):
            if common_text(steps, steps_of(case.key.parts)) is not None:
                yield case.name


def _hides_keys(call: Call) -> bool:
    """Keys come out of a star, or stand in a command that is written as text."""
    if call.facts is None:
        return False
    if call.facts.family == "raw":
        return call.command is None or (known := command(call.command)) is None or known.first_key != 0
    return call.opaque and bool(call.facts.keys)


def _hears_unseen(call: Call) -> bool:
    """It subscribes to a pattern, or to channels that are not written as arguments of their own."""
    if call.facts is None or call.facts.family != "subscribe":
        return False
    return call.opaque or call.method.startswith("psub") or len(channels(call)) < len(call.arguments)
