"""A collection that can grow is read as a whole.

What: SMEMBERS, LRANGE 0 -1 or ZRANGE 0 -1, or HGETALL of a hash whose fields are made at run time, of a collection that
nothing in sight keeps short.
Why it hurts: the server answers one command at a time. A million members are one answer: everybody waits for it, and
the process that asked holds it in memory.
Instead: `sscan_iter`, `hscan_iter`, `zscan_iter`, pages of LRANGE; or keep it short with LTRIM or ZREMRANGEBYRANK.
Fix: a loop over `smembers()` or `hgetall().items()` goes over `sscan_iter()` or `hscan_iter()` (safe; unsafe where it
makes a list, as a scan may give a member twice).
"""

from collections.abc import Iterator

from redis_guard.behaviour.collections import Collections, collections_of
from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry
from redis_guard.repairs.steps import InSteps
from redis_guard.rule import WARNING, Example, OfProject, Report, Rule, at

_WHOLE = {
    "SMEMBERS": "sscan_iter()",
    "HGETALL": "hscan_iter()",
    "HKEYS": "hscan_iter()",
    "HVALS": "hscan_iter()",
}
_RANGES = {"LRANGE": "pages", "ZRANGE": "zscan_iter() or pages", "ZREVRANGE": "pages"}


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    known = collections_of(project)
    for module in project.modules:
        for call in module.calls:
            if _reads_all(call) and _can_grow(call, known):
                written = tuple(
                    each
                    for each in module.of_function(call.function)
                    if set(each.keys) & set(call.keys) and each.facts and each.facts.access != "read"
                )
                yield at(call, _message(call, registry), repair=InSteps(call, written))


def _reads_all(call: Call) -> bool:
    if call.command in _WHOLE:
        return True
    if call.command not in _RANGES:
        return False
    first, last = call.argument("start"), call.argument("end")
    return first is not None and last is not None and first.constants == (0,) and last.constants == (-1,)


def _can_grow(call: Call, known: Collections) -> bool:
    # A wrapper that reads whatever it is told to says nothing of what that is.
    if call.key is None or not speaks(call.key) or known.is_trimmed(call):
        return False
    return call.command not in ("HGETALL", "HKEYS", "HVALS") or known.has_open_fields(call)


def _message(call: Call, registry: Registry) -> str:
    command = command_of(call)
    instead = _WHOLE.get(command) or _RANGES[command]
    return (
        f"{command} reads all of {named(call.key, registry)} in one answer, and nothing in sight keeps it short: when "
        f"it has grown, everybody waits; use {instead}, or trim it"
    )


RULE = Rule(
    code="RG704",
    name="unbounded-read",
    since="0.1.0",
    severity=WARNING,
    scope=OfProject(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='for member in r.smembers("subscribers:news"):\n    print(member)',
            good='for member in r.sscan_iter("subscribers:news"):\n    print(member)',
        ),
    ),
)
