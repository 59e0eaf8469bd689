"""A write takes away the lifetime that the key was given.

What: GETSET, or a SET without `ex` and without `keepttl`, on a key that was given a lifetime before; or a push onto a
list that others pop from: when it runs empty the key is gone with its lifetime, and the push makes it anew without
one.
Why it hurts: the key was meant to go away, and stays for ever. Nothing shows it until memory is full.
Instead: give the lifetime with every write (`set(..., ex=...)`), keep it (`keepttl=True`), or queue an EXPIRE in the
same MULTI.
Fix: none is offered yet.
"""

from collections.abc import Iterator

from redis_guard.behaviour.dropping import Dropped
from redis_guard.behaviour.dropping import dropped as found
from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfProject, Report, Rule, at


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    for dropped in found(project):
        write, given, emptied = dropped
        others = ((given, "the lifetime"),) + (
            () if emptied is None else ((emptied, "may take the last element"),)
        )
        yield at(write, _message(dropped, registry), *others)


def _message(dropped: Dropped, registry: Registry) -> str:
    write = dropped.write
    key, command = named(write.key, registry), command_of(write)
    if dropped.emptied is not None:
        return (
            f"once {key} has run empty, its lifetime is gone with it, and this {command} makes it anew without one; "
            "queue an EXPIRE (with NX) in the same MULTI"
        )
    instead = "`set(..., get=True, keepttl=True)`" if command == "GETSET" else "`ex=` or `keepttl=True`"
    return f"{key} was given a lifetime, and this {command} takes it away: it stays for ever; use {instead}"


RULE = Rule(
    code="RG402",
    name="ttl-dropped",
    since="0.1.0",
    severity=WARNING,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.set("flag:a", "off", ex=60)\nr.getset("flag:a", "on")',
            good='r.set("flag:a", "off", ex=60)\nr.set("flag:a", "on", get=True, keepttl=True)',
        ),
    ),
)
