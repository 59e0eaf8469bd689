"""The use case `inventory`: every use of Redis in a project, grouped by what it amounts to.

Law of this file: it says what is. It knows no allows, no baseline and no exemption for tests; no terminal,
no argv.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from redis_guard.analysis import remember, surveyed
from redis_guard.behaviour.classify import Behaviours, Group, call_id, classify
from redis_guard.behaviour.durations import lifetime_text
from redis_guard.behaviour.families import channels
from redis_guard.behaviour.faults import faults_by_call
from redis_guard.behaviour.owning import Guess, guess_owner
from redis_guard.behaviour.proposals import Proposal, propose
from redis_guard.behaviour.terms import Behaviour
from redis_guard.codeowners import OwnersOf, code_owners
from redis_guard.config import Config, load_config
from redis_guard.finding import Finding
from redis_guard.judging import faults, load_project, registry_of, rule_entries
from redis_guard.precedence import ONLY_WHERE_ALLOWED
from redis_guard.project.load import Loaded
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import EMPTY_REGISTRY, Registry, RegistryError
from redis_guard.report.inventory_model import FoundRule, Inventory, InventoryCall, InventoryGroup
from redis_guard.rules import load_rules
from redis_guard.select import chosen

_ORDER = get_args(Behaviour)
_EVERY_CALL = "RG101"
"""It says of a call that it is direct, and so is every call here: no fault by itself."""

_FaultsOf = Callable[[Call], tuple[str, ...]]


def inventory(
    project: ProjectUses, findings: Sequence[Finding] = (), owners_of: OwnersOf | None = None
) -> Inventory:
    """All calls of the project and their groups, with the findings that lie on them."""
    behaviours = classify(project)
    calls = [call for module in project.modules for call in module.calls]
    found = faults_by_call(calls, findings)

    def faults_of(call: Call) -> tuple[str, ...]:
        return found.get(call_id(call), ())

    guesses = [
        guess_owner([call.path for call in group.product or group.calls], owners_of)
        for group in behaviours.groups
    ]
    groups = [
        _group(group, guess, proposal, faults_of)
        for group, guess, proposal in zip(
            behaviours.groups, guesses, propose(behaviours.groups, guesses), strict=True
        )
    ]
    seen = {code for codes in found.values() for code in codes}
    return Inventory(
        tuple(
            sorted(
                (_call(call, behaviours, owners_of, faults_of) for call in calls),
                key=lambda call: (call.path, call.line, call.column),
            )
        ),
        tuple(
            sorted(groups, key=lambda group: (_ORDER.index(group.behaviour), -group.calls, group.key or ""))
        ),
        tuple(FoundRule(rule.code, rule.name, rule.summary) for rule in load_rules() if rule.code in seen),
    )


def _call(
    call: Call, behaviours: Behaviours, owners_of: OwnersOf | None, faults_of: _FaultsOf
) -> InventoryCall:
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
        owner=guess_owner([call.path], owners_of).owner,
        faults=faults_of(call),
    )


def _key(call: Call) -> str | None:
    key = call.key or next(iter(channels(call)), None)
    return None if key is None else key.template


def _group(group: Group, owner: Guess, proposal: Proposal | None, faults_of: _FaultsOf) -> InventoryGroup:
    counted = Counter(code for call in group.calls for code in faults_of(call))
    return InventoryGroup(
        group.behaviour,
        None if group.key is None else group.key.template,
        tuple((call.path, call.span.line, call.span.column) for call in group.calls),
        group.lifetimes,
        owner,
        tuple(sorted(counted.items())),
        proposal,
    )


@dataclass(frozen=True, slots=True)
class Taken:
    """An inventory, lines for the standard error, and what both were made of."""

    inventory: Inventory
    notes: tuple[str, ...]
    tracebacks: tuple[str, ...]
    project: ProjectUses
    findings: tuple[Finding, ...]
    """Of the whole project, by the rules that are on."""


def take(
    paths: tuple[str, ...], explicit: Path | None = None, *, jobs: int | None = None, use_cache: bool = True
) -> Taken:
    """The inventory of what `paths` name, known from the whole project. Raises Mistake as `check` does.

    A registry that cannot be used costs no more than what the rules would know from it.
    """
    named = [Path(path) for path in paths]
    there = named and os.path.exists(named[0])  # noqa: PTH110 # pathlib raises where a folder may not be entered
    start = named[0] if there else Path.cwd()
    return take_of(load_config(start, explicit, named), paths, jobs=jobs, use_cache=use_cache)


def take_of(
    config: Config, paths: tuple[str, ...], *, jobs: int | None = None, use_cache: bool = True
) -> Taken:
    """The same for a project whose configuration is known."""
    sources, reported, warnings = surveyed(config, paths, use_cache=use_cache)
    loaded = load_project(config, sources, jobs)
    if use_cache and sources.counters.parsed:
        warnings += remember(config, sources)
    registry, said = _registry(config)
    tracebacks, active = list(loaded.linked.tracebacks), _active(config)
    found = [finding for finding in faults(loaded, registry, tracebacks) if finding.code in active]
    whole = inventory(loaded.linked.project, found, code_owners(config.root))
    calls = tuple(call for call in whole.calls if call.path in reported)
    groups = tuple(group for group in whole.groups if reported.intersection(group.paths))
    unread = [f"{path}:{line}: this file {said}" for path, line, said in _unread(loaded, reported)]
    codes = {code for group in groups for code, _ in group.faults}
    rules = tuple(rule for rule in whole.rules if rule.code in codes)
    shown = Inventory(calls, groups, rules, config.root.name)
    notes = (*warnings, *said, *unread)
    return Taken(shown, notes, tuple(tracebacks), loaded.linked.project, tuple(found))


def _registry(config: Config) -> tuple[Registry, list[str]]:
    try:
        return registry_of(config), []
    except RegistryError as error:
        return EMPTY_REGISTRY, [str(error), "faults are told without the registry"]


def _active(config: Config) -> frozenset[str]:
    """The rules that the configuration has on and that can speak of a call when nothing is allowed."""
    on = chosen(rule_entries(load_rules()), config.select, config.ignore, config.extend_select)
    return on - {_EVERY_CALL, *ONLY_WHERE_ALLOWED}


def _unread(loaded: Loaded, reported: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    for module in loaded.linked.project.modules:
        if module.error is not None and module.path in reported:
            yield module.path, module.error[0], module.error[2]
