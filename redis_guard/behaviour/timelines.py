"""The calls of one function on one key, and whether two of them reach the server as one step.

Law of this file: order and sameness only; what the calls do is judged elsewhere.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from redis_guard.behaviour.writes import written
from redis_guard.project.flow import always_follows, always_precedes, can_follow
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses

Steps: TypeAlias = Literal["apart", "multi", "pipelined", "unknown", "unrelated"]
"""How two calls reach the server.

apart: in two round trips, between which the process may die or another client may write
multi: in one MULTI
pipelined: in one pipeline that is not MULTI
unknown: through a pipeline whose mode, or whose sending, cannot be seen
unrelated: they are not known to go to one server
"""


@dataclass(frozen=True, slots=True)
class Timeline:
    """One function's calls that write keys, by key, in the order of evaluation."""

    by_key: Mapping[Key, tuple[Call, ...]]
    executions: tuple[Call, ...]
    """Where a pipeline is sent."""

    def steps(self, first: Call, second: Call) -> Steps:
        """How `first` and the later `second` reach the server."""
        if first.client == second.client:
            if first.immediate or second.immediate or self._sent_between(first, second):
                return "apart"
            if first.optional_pipeline:
                return "apart"
            if first.transaction is None:
                return "unknown"
            return "multi" if first.transaction else "pipelined"
        if not first.source or first.source != second.source:
            return "unrelated"
        return "apart" if first.immediate or self._sent_between(first, second) else "unknown"

    def _sent_between(self, first: Call, second: Call) -> bool:
        return any(
            sent.client == first.client
            and can_follow(first.place, sent.place)
            and can_follow(sent.place, second.place)
            for sent in self.executions
        )


def timelines(module: ModuleUses) -> Iterator[Timeline]:
    """One for each function that uses Redis, and one for the module body."""
    by_function: defaultdict[int, list[Call]] = defaultdict(list)
    for call in (*module.calls, *module.lent):
        by_function[call.function.scope].append(call)
    for calls in by_function.values():
        calls.sort(key=lambda call: call.place.order)
        by_key: defaultdict[Key, list[Call]] = defaultdict(list)
        for call in calls:
            for key in dict.fromkeys(written(call)):
                by_key[key].append(call)
        executions = tuple(call for call in calls if call.kind == "pipeline" and call.method == "execute")
        yield Timeline({key: tuple(found) for key, found in by_key.items()}, executions)


def surely_between(first: Call, middle: Call, last: Call) -> bool:
    """On every way from `first` to `last`, `middle` happens."""
    if not (can_follow(first.place, middle.place) and can_follow(middle.place, last.place)):
        return False
    return always_follows(first.place, middle.place) or always_precedes(middle.place, last.place)
