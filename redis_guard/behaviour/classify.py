"""Calls -> groups by family of keys, each with what it amounts to.

Law of this file: a pure function of the calls. Every call is in exactly one group, that of its first key; a
call that names several keys is evidence for all of them. How tests set up and clear away is evidence only for keys
that nothing but tests uses.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from redis_guard.behaviour.durations import lifetime_text
from redis_guard.behaviour.families import FamilyOfKeys, channels, families
from redis_guard.behaviour.judging import is_wrapper, of_family, of_keyless
from redis_guard.behaviour.terms import Behaviour
from redis_guard.finding import Span
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ProjectUses


@dataclass(frozen=True, slots=True)
class Group:
    """Calls that belong together."""

    behaviour: Behaviour
    key: Key | None
    """The key, or the channel, as the first call writes it; None for calls without one."""
    calls: tuple[Call, ...]
    product: tuple[Call, ...]
    """Those of the calls that are not in tests."""

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of its calls, in order, each once."""
        return tuple(dict.fromkeys(call.path for call in self.calls))

    @property
    def lifetimes(self) -> tuple[str, ...]:
        """The lifetimes seen, in the order of the calls, each once: `60s`, `1500ms`, `variable`."""
        seen = (lifetime_text(call) for call in self.calls)
        return tuple(dict.fromkeys(text for text in seen if text is not None))


CallId = tuple[str, Span, str]


@dataclass(frozen=True, slots=True)
class Behaviours:
    """What the calls of a project amount to."""

    groups: tuple[Group, ...]
    """By the place of their first calls."""
    by_call: Mapping[CallId, Behaviour]

    def of(self, call: Call) -> Behaviour:
        """The behaviour of the group that a call is in; `unknown` for a call that was not classified."""
        return self.by_call.get(call_id(call), "unknown")


def classify(project: ProjectUses) -> Behaviours:
    """The behaviour of every call."""
    members: dict[FamilyOfKeys | Behaviour, list[Call]] = {}
    evidence: dict[FamilyOfKeys, list[Call]] = {}
    tests = {module.path for module in project.modules if module.test}
    for module in project.modules:
        for call in module.calls:
            spoken_of = families(call)
            members.setdefault(spoken_of[0] if spoken_of else of_keyless(call), []).append(call)
            for family in spoken_of:
                evidence.setdefault(family, []).append(call)
    groups = tuple(_group(family, calls, evidence, tests) for family, calls in members.items())
    return Behaviours(groups, {call_id(call): group.behaviour for group in groups for call in group.calls})


def _group(
    family: FamilyOfKeys | Behaviour,
    calls: list[Call],
    evidence: Mapping[FamilyOfKeys, list[Call]],
    tests: Set[str],
) -> Group:
    product = tuple(call for call in calls if call.path not in tests)
    if not isinstance(family, FamilyOfKeys):
        return Group(family, None, tuple(calls), product)
    signs = [call for call in evidence[family] if call.path not in tests] or evidence[family]
    behaviour: Behaviour = "unknown" if family.where and is_wrapper(signs) else of_family(signs)
    return Group(behaviour, _key((product or calls)[0]), tuple(calls), product)


def _key(call: Call) -> Key | None:
    return call.key or next(iter(channels(call)), None)


def call_id(call: Call) -> CallId:
    """What tells a call from all others of a project."""
    return (call.path, call.span, call.method)
