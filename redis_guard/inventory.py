"""The use case `inventory`: every use of Redis in a project, grouped by what it amounts to.

Law of this file: it says what is. It knows no allows, no baseline and no exemption for tests; no terminal,
no argv.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from redis_guard.analysis import remember, surveyed
from redis_guard.behaviour.classify import Behaviours, Group, classify
from redis_guard.behaviour.durations import lifetime_text
from redis_guard.behaviour.families import channels
from redis_guard.behaviour.proposals import Proposal, propose
from redis_guard.behaviour.terms import Behaviour
from redis_guard.config import load_config
from redis_guard.judging import load_project
from redis_guard.project.load import Loaded
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


@dataclass(frozen=True, slots=True)
class Taken:
    """An inventory, and lines for the standard error."""

    inventory: Inventory
    notes: tuple[str, ...]
    tracebacks: tuple[str, ...]


def take(
    paths: tuple[str, ...], explicit: Path | None = None, *, jobs: int | None = None, use_cache: bool = True
) -> Taken:
    """The inventory of what `paths` name, known from the whole project. Raises Mistake as `check` does."""
    named = [Path(path) for path in paths]
    there = named and os.path.exists(named[0])  # noqa: PTH110 # pathlib raises where a folder may not be entered
    start = named[0] if there else Path.cwd()
    config = load_config(start, explicit, named)
    sources, reported, warnings = surveyed(config, paths, use_cache=use_cache)
    loaded = load_project(config, sources, jobs)
    if use_cache and sources.counters.parsed:
        warnings += remember(config, sources)
    whole = inventory(loaded.linked.project)
    calls = tuple(call for call in whole.calls if call.path in reported)
    groups = tuple(group for group in whole.groups if reported.intersection(group.paths))
    unread = [f"{path}:{line}: this file {said}" for path, line, said in _unread(loaded, reported)]
    return Taken(Inventory(calls, groups), (*warnings, *unread), loaded.linked.tracebacks)


def _unread(loaded: Loaded, reported: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    for module in loaded.linked.project.modules:
        if module.error is not None and module.path in reported:
            yield module.path, module.error[0], module.error[2]
