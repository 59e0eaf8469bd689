"""Calls and assignments that become SET with more options.

Law of this file: the key and the value stay where they are; options come behind them.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.lifetimes import Given, as_argument
from redis_guard.repairs.written import Written

_TAKES: dict[str, frozenset[str]] = {
    "SET": frozenset({"name", "value", "get", "nx"}),
    "SETNX": frozenset({"name", "value"}),
    "GETSET": frozenset({"name", "value"}),
}
"""Arguments beside which an expiry can stand."""


def takes_options(write: Written) -> bool:
    """It is a SET, or can be written as one, and nothing in it decides about the lifetime."""
    call = write.call
    if call.opaque or write.starred or call.command not in _TAKES:
        return False
    if not write.method_named and (call.command != "SET" or call.method != "execute_command"):
        return False
    if call.command == "GETSET" and write.program.target_server < (6, 2):
        return False
    return {name for name, _ in call.arguments} <= _TAKES[call.command]


def add_options(draft: Draft, write: Written, *options: str) -> None:
    """Write `ex=60` and its kin behind the arguments; SETNX and GETSET become SET."""
    before, behind = {"SETNX": (["nx=True"], []), "GETSET": ([], ["get=True"])}.get(
        write.call.command or "", ([], [])
    )
    if before or behind:
        draft.rename_method(write.node, "set")
    draft.add_argument(write.node, ", ".join([*before, *options, *behind]))


def add_lifetime(draft: Draft, write: Written, given: Given, text: str | None = None) -> None:
    """Give a SET its lifetime, written as `text` if it does not stand in the program as it is."""
    text = text or as_argument(draft.program, given.time)
    if write.call.method == "execute_command":
        draft.add_argument(write.node, f'"{given.option.upper()}", {text}')
    else:
        add_options(draft, write, f"{given.option}={text}")


def written_item(program: Program, call: Call) -> ast.Assign | None:
    """The statement `client[key] = value` of a call that is one."""
    item = program.expression(call.span) if call.form == "subscript" else None
    statement = None if item is None else program.parent(item)
    if not isinstance(item, ast.Subscript) or not isinstance(statement, ast.Assign):
        return None
    one_key = not isinstance(item.slice, ast.Tuple | ast.Slice)
    return statement if one_key and statement.targets == [item] else None


def item_as_set(draft: Draft, statement: ast.Assign, options: str) -> None:
    """`client[key] = value` becomes `client.set(key, value, …)`."""
    program = draft.program
    item = statement.targets[0]
    assert isinstance(item, ast.Subscript)
    client, key, value = map(program.source, (item.value, item.slice, statement.value))
    if isinstance(statement.value, ast.Tuple | ast.GeneratorExp) and not value.startswith("("):
        value = f"({value})"
    draft.rewrite(statement, f"{client}.set({key}, {value}, {options})")
