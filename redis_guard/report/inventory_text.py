"""The inventory for people: a line for each group, its calls below it."""

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
    write(out, f"{_closing(inventory)}\n")


def _group(group: InventoryGroup) -> str:
    key = "(no key)" if group.key is None else one_line(group.key)
    lifetimes = f", lifetimes {', '.join(group.lifetimes)}" if group.lifetimes else ""
    place = printable(group.paths[0]) if group.files == 1 else _count(group.files, "file")
    return f"{key}: {_count(group.calls, 'call')} in {place}{lifetimes}"


def _call(call: InventoryCall) -> str:
    key = "" if call.key is None else f" {one_line(call.key)}"
    ttl = "" if call.ttl is None else f" for {call.ttl}"
    doubt = "" if call.confidence == "certain" else f" [{call.confidence}: {one_line(call.how)}]"
    written = f"{one_line(call.receiver)}.{call.method}"
    return f"{call.line}:{call.column}: {written}{key}{ttl}, {call.behaviour}{doubt}"


def _closing(inventory: Inventory) -> str:
    if not inventory.calls:
        return "No use of Redis found."
    files = len({call.path for call in inventory.calls})
    groups = _count(len(inventory.groups), "group")
    return f"{_count(len(inventory.calls), 'call')} in {_count(files, 'file')}, {groups} of keys."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
