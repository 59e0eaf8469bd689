"""One key is used with two types of value.

What: the same key, or the same template, is a string in one place and a hash, list, set … in another; or it is not what
the registry declares of its keyspace.
Why it hurts: whichever comes second fails with WRONGTYPE, or, if it is a SET, throws away what the other one kept.
Instead: give each its own key.
Fix: none; which of the two has to move is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.meeting import sets_whatever_was_there, where_they_meet
from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.types import Clash, clashes, type_of
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Keyspace, Registry
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at

_DECLARED = {"cms": "count-min"}
"""Types that a registry calls otherwise than the table of commands."""


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    for module in project.modules:
        for call in module.calls:
            space = _declared(call, registry)
            if space is not None and type_of(call) not in ("", _DECLARED.get(space.type or "", space.type)):
                yield at(call, _against_the_registry(call, space))
    for clash in clashes(project):
        if _declared(clash.first, registry) is None:
            yield at(clash.first, _of_two(clash, registry), (clash.second, f"a {type_of(clash.second)} here"))


def _declared(call: Call, registry: Registry) -> Keyspace | None:
    """The keyspace of its key, if that says which type its values have."""
    space = None if call.key is None else registry.keyspace_for(call.key.template)
    return space if space is not None and space.type is not None else None


def _against_the_registry(call: Call, space: Keyspace) -> str:
    template = "" if call.key is None else call.key.template
    outcome = where_they_meet(call, space.type or "", "those who read it as declared fail")
    return (
        f"{template} is a {type_of(call)} here ({command_of(call)}), and the registry declares {space.name} as a "
        f"{space.type}: {outcome}; use another key, or declare its type"
    )


def _of_two(clash: Clash, registry: Registry) -> str:
    first, second = clash.first, clash.second
    one, two = (second, first) if sets_whatever_was_there(second) else (first, second)
    outcome = where_they_meet(one, type_of(two), f"the {command_of(two)} fails")
    return (
        f"{named(clash.key, registry)} is a {type_of(first)} here ({command_of(first)}) and a {type_of(second)} "
        f"elsewhere ({command_of(second)}): {outcome}; give each its own key"
    )


RULE = Rule(
    code="RG606",
    name="type-clash",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.set("stats:today", "0", ex=86_400)\nmissing = r.hget("stats:today", "404")',
            good='r.set("stats:today:total", "0", ex=86_400)\nmissing = r.hget("stats:today:codes", "404")',
        ),
    ),
)
