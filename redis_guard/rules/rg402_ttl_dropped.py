"""A write takes away the lifetime that the key was given.

What: SET without `ex` and without `keepttl`, GETSET, SINTERSTORE and its kin, or RENAME of a value that has no
lifetime, onto a key that is given a lifetime before or elsewhere; or a push onto a list that others pop from: when it
runs empty the key is gone with its lifetime, and the push makes it anew without one.
Why it hurts: the key was meant to go away, and stays for ever. Nothing shows it until memory is full.
Instead: give the lifetime with every write (`set(..., ex=...)`), keep it (`keepttl=True`), or queue an EXPIRE in the
same MULTI.
Fix: SET, GETSET (as SET with `get`) and item assignments keep the lifetime with `keepttl`; unsafe, since a key that has
none goes on without. Other writes are left to you.
"""

from collections.abc import Iterator

from redis_guard.behaviour.dropping import Dropped
from redis_guard.behaviour.dropping import dropped as found
from redis_guard.behaviour.registered import may_stay
from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry
from redis_guard.repairs.kept_lifetime import KeptLifetime
from redis_guard.rule import WARNING, Example, OfProject, Report, Rule, at


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    for dropped in found(project):
        if not may_stay(dropped.key, registry):
            emptied = () if dropped.emptied is None else ((dropped.emptied, "may take the last element"),)
            yield at(
                dropped.write,
                _message(dropped, registry),
                (dropped.given, "the lifetime"),
                *emptied,
                repair=KeptLifetime(dropped.write),
            )


def _message(dropped: Dropped, registry: Registry) -> str:
    write = dropped.write
    key, command = named(dropped.key, registry), command_of(write)
    if dropped.emptied is not None:
        return (
            f"once {key} has run empty, its lifetime is gone with it, and this {command} makes it anew without one; "
            "queue an EXPIRE (with NX) in the same MULTI"
        )
    return f"{key} was given a lifetime, and this {command} takes it away: it stays for ever; use {_instead(write)}"


def _instead(write: Call) -> str:
    if write.command == "GETSET":
        return "`set(..., keepttl=True, get=True)`"
    if write.command == "SET":
        return "`ex=` or `keepttl=True`"
    if write.command in ("RENAME", "RENAMENX"):
        return "EXPIRE on the new value before it is renamed"
    return "EXPIRE in the same MULTI"


RULE = Rule(
    code="RG402",
    name="ttl-dropped",
    since="0.1.0",
    severity=WARNING,
    scope=OfProject(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='r.set("flag:a", "off", ex=60)\nr.getset("flag:a", "on")',
            good='r.set("flag:a", "off", ex=60)\nr.set("flag:a", "on", keepttl=True, get=True)',
        ),
    ),
)
