"""SET and the EXPIRE after it become one SET with a lifetime.

Law of this file: EXPIRE takes what SET refuses (zero and less delete the key), so only a lifetime that is a positive
number in plain sight is moved safely.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Applicability, Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call, Unit
from redis_guard.repairs.written import find, neighbours, same_block

_OPTIONS: dict[Unit, str] = {"s": "ex", "ms": "px", "s-at": "exat", "ms-at": "pxat"}
_PLAIN_SET = frozenset({"name", "value", "get"})


@dataclass(frozen=True, slots=True)
class LifetimeWithValue:
    """The lifetime that `expiry` gives goes into `write`, a SET or an item assignment."""

    write: Call
    expiry: Call

    def fix(self, program: Program) -> Fix | None:
        second = find(program, self.expiry)
        if second is None or not second.alone or len(self.expiry.lifetimes) != 1:
            return None
        given = {name for name, _ in self.expiry.arguments}
        lifetime = self.expiry.lifetimes[0]
        time = second.argument(lifetime.parameter)
        if time is None or self.expiry.opaque or given - {"name", lifetime.parameter}:
            return None
        draft = Draft(program)
        if self.write.form == "subscript":
            first = self._from_item(draft, lifetime.unit, time)
        else:
            first = self._into_set(draft, lifetime.unit, time)
        if first is None:
            return None
        between = same_block(program, first, second.statement)
        if between is None or any(_leaves(each) for each in between):
            return None
        adjacent = neighbours(program, first, second.statement)
        safety = self._safety(time, adjacent)
        draft.remove_statement(second.statement)
        option = _OPTIONS[lifetime.unit]
        title = f"Give the lifetime with the value ({option}={program.source(time)})"
        if safety == "unsafe":
            title += f"; {self._assumption(adjacent)}"
        return draft.fix(title, safety)

    def _into_set(self, draft: Draft, unit: Unit, time: ast.expr) -> ast.stmt | None:
        write = find(draft.program, self.write)
        if write is None or self.write.opaque or self.write.command != "SET":
            return None
        if {name for name, _ in self.write.arguments} - _PLAIN_SET:
            return None
        option, text = _OPTIONS[unit], _as_argument(draft.program, time)
        if self.write.method == "execute_command":
            draft.add_argument(write.node, f'"{option.upper()}", {text}')
        else:
            draft.add_argument(write.node, f"{option}={text}")
        return write.statement

    def _from_item(self, draft: Draft, unit: Unit, time: ast.expr) -> ast.stmt | None:
        program = draft.program
        item = program.expression(self.write.span)
        statement = None if item is None else program.parent(item)
        if (
            not isinstance(item, ast.Subscript)
            or not isinstance(statement, ast.Assign)
            or len(statement.targets) != 1
        ):
            return None
        client, key, value = map(program.source, (item.value, item.slice, statement.value))
        draft.rewrite(
            statement, f"{client}.set({key}, {value}, {_OPTIONS[unit]}={_as_argument(program, time)})"
        )
        return statement

    @staticmethod
    def _assumption(adjacent: bool) -> str:
        if adjacent:
            return "SET refuses a lifetime of zero or less, where EXPIRE deletes"
        return "nothing in between may need the key without it"

    def _safety(self, time: ast.expr, adjacent: bool) -> Applicability:
        literal = isinstance(time, ast.Constant) and type(time.value) is int and time.value > 0
        raw = self.write.method == "execute_command"
        return "safe" if literal and adjacent and not raw else "unsafe"


def _as_argument(program: Program, node: ast.expr) -> str:
    text = program.source(node)
    return (
        f"({text})"
        if isinstance(node, ast.NamedExpr | ast.GeneratorExp) and not text.startswith("(")
        else text
    )


def _leaves(statement: ast.stmt) -> bool:
    """On some way through it the statement after it is not reached."""
    return any(
        isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue) for node in ast.walk(statement)
    )
