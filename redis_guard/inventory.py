"""The use case `inventory`: every use of Redis in a project, grouped by what it amounts to.

Law of this file: it says what is. It knows no allows, no baseline and no exemption for tests; no terminal,
no argv.
"""

from typing import get_args

from redis_guard.behaviour.classify import Behaviours, Group, classify
from redis_guard.behaviour.durations import lifetime_text
from redis_guard.behaviour.families import channels
from redis_guard.behaviour.proposals import Proposal, propose
from redis_guard.behaviour.terms import Behaviour
from redis_guard.project.model import Call, ProjectUses
from redis_guard.report.inventory_model import Inventory, InventoryCall, InventoryGroup

_ORDER = get_args(Behaviour)


def inventory(project: ProjectUses) -> Inventory:
    """All calls of the project and their groups."""
    behaviours = classify(project)
    calls = [_call(call, behaviours) for module in project.modules for call in module.calls]
    groups = [
        _group(group, proposal)
        for group, proposal in zip(behaviours.groups, propose(behaviours.groups), strict=True)
    ]
    return Inventory(
        tuple(sorted(calls, key=lambda call: (call.path, call.line, call.column))),
        tuple(
            sorted(groups, key=lambda group: (_ORDER.index(group.behaviour), -group.calls, group.key or ""))
        ),
    )


def _call(call: Call, behaviours: Behaviours) -> InventoryCall:
    return InventoryCall(
        path=call.path,
        line=call.span.line,
        column=call.span.column,
        method=call.method,
        command=call.command,
        form=call.form,
        receiver=call.receiver,
        type=call.type,
        asynchronous=call.asynchronous,
        confidence=call.confidence,
        how=call.how,
        key=_key(call),
        writes=call.facts is not None and call.facts.access in ("write", "both"),
        ttl=lifetime_text(call),
        behaviour=behaviours.of(call),
        function=call.function.qualname,
    )


def _key(call: Call) -> str | None:
    key = call.key or next(iter(channels(call)), None)
    return None if key is None else key.template


def _group(group: Group, proposal: Proposal | None) -> InventoryGroup:
    return InventoryGroup(
        group.behaviour,
        None if group.key is None else group.key.template,
        len(group.calls),
        len(group.files),
        group.lifetimes,
        group.files,
        proposal,
    )


__all__ = ["Inventory", "inventory"]
