"""The inventory for people: a line for each group, a line for each call, and what it comes to.

Law of this file: the sums stand at the end, where a terminal stops.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TextIO

from redis_guard.report.inventory_model import Inventory, InventoryCall, InventoryGroup
from redis_guard.report.printable import one_line, printable, write


def render(inventory: Inventory, out: TextIO) -> None:
    """Write groups by behaviour, then the calls by file, then the sums."""
    for behaviour, groups in groupby(inventory.groups, key=lambda group: group.behaviour):
        write(out, f"{behaviour}\n")
        for group in groups:
            write(out, f"  {_group(group)}\n")
        write(out, "\n")
    for path, calls in groupby(inventory.calls, key=lambda call: call.path):
        write(out, f"{printable(path)}\n")
        for call in calls:
            write(out, f"  {_call(call)}\n")
        write(out, "\n")
    for line in _closing(inventory):
        write(out, f"{line}\n")


def _group(group: InventoryGroup) -> str:
    key = "(no key)" if group.key is None else one_line(group.key)
    lifetimes = f", lifetimes {', '.join(group.lifetimes)}" if group.lifetimes else ""
    place = printable(group.paths[0]) if group.files == 1 else _count(group.files, "file")
    faults = f", faults {counts(group.faults)}" if group.faults else ""
    owner = f", owner {one_line(group.owner.owner)}" if group.owner.ground != "nothing" else ""
    return f"{key}: {_count(group.calls, 'call')} in {place}{lifetimes}{faults}{owner}"


def _call(call: InventoryCall) -> str:
    key = "" if call.key is None else f" {one_line(call.key)}"
    ttl = "" if call.ttl is None else f" for {call.ttl}"
    doubt = "" if call.confidence == "certain" else f" [{call.confidence}: {one_line(call.how)}]"
    written = f"{one_line(call.receiver)}.{call.method}"
    faults = f", {' '.join(call.faults)}" if call.faults else ""
    return f"{call.line}:{call.column}: {written}{key}{ttl}, {call.behaviour}{faults}{doubt}"


def _closing(inventory: Inventory) -> Iterator[str]:
    if not inventory.calls:
        yield "No use of Redis found."
        return
    groups = _count(len(inventory.groups), "group")
    yield f"{_count(len(inventory.calls), 'call')} in {_count(inventory.files, 'file')}, {groups} of keys."
    yield f"Behaviours: {_list(inventory.behaviours)}."
    yield f"Owners: {_list(inventory.owners)}."
    names = {rule.code: rule.name for rule in inventory.rules}
    if inventory.faults:
        yield f"Faults: {_list((f'{code} {names[code]}', number) for code, number in inventory.faults)}."
    else:
        yield "Faults: none but that the calls are direct."


def _list(counted: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{one_line(text)} {number}" for text, number in counted)


def counts(faults: Iterable[tuple[str, int]]) -> str:
    """`RG202 RG401x3`: the codes, and how often where it is more than once."""
    return " ".join(code if number == 1 else f"{code}x{number}" for code, number in faults)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
