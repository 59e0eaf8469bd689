"""The look at a key goes, and the write that depends on it decides: SET NX, HSETNX.

Law of this file: the write's value is made before it is known whether it is needed, so it has to be a cheap one; where
it is not, the look stays as a way to spare it.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.indenting import owns_its_lines, unit_at
from redis_guard.fixes.program import Program
from redis_guard.fixes.reading import edited
from redis_guard.project.model import Call
from redis_guard.repairs.asking import asking
from redis_guard.repairs.deciding import Step, decide
from redis_guard.repairs.plainly import at_once, plain
from redis_guard.repairs.variables import assigned, reads
from redis_guard.repairs.written import Written, find, neighbours, same_block

_LIFETIMES = frozenset({"ex", "px", "exat", "pxat"})
_SETEX = {"setex": "ex", "psetex": "px"}
_CHEAP = frozenset(
    "str int float bool len bytes repr dumps encode decode format isoformat timestamp total_seconds hex uuid4 uuid1 "
    "token_hex token_urlsafe time now utcnow monotonic getpid gethostname strftime lower upper strip join".split()
)
_NO_VALUE = ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr


@dataclass(frozen=True, slots=True)
class WriteDecides:
    """`look` asks whether something is there, `write` puts it there if not."""

    look: Call
    write: Call

    def fix(self, program: Program) -> Fix | None:
        look, step = self._look(program), self._step(program)
        if look is None or step is None or self.look.client != self.write.client:
            return None
        if not at_once(self.look) or not at_once(self.write):
            return None
        node, present = look
        name = assigned(program, node)
        read = reads(program, name, program.statement(node)) if name is not None else (node,)
        if len(read) != 1:
            return None
        asked, absent = asking(program, read[0], not present)
        writes = "HSETNX" if self.write.command == "HSET" else "SET NX"
        found = self._instead(program, node, asked, step, absent) if self._cheap(step.statement) else None
        if found is not None:
            return found.fix(f"Let {writes} decide; its value is made in any case", "unsafe")
        found = self._as_well(program, asked, step, absent)
        return (
            None if found is None else found.fix(f"Let {writes} decide; the look before it stays", "unsafe")
        )

    @staticmethod
    def _instead(program: Program, look: ast.expr, asked: ast.expr, step: Step, absent: bool) -> Draft | None:
        """The write takes the place of the look; None where that loses a comment."""
        draft = Draft(program)
        if assigned(program, look) is not None:
            if not neighbours(program, program.statement(look), program.statement(asked)):
                return None
            draft.remove_statement(program.statement(look))
        done = decide(draft, asked, absent, step) and not draft.loses_comments()
        return draft if done else None

    @staticmethod
    def _as_well(program: Program, asked: ast.expr, step: Step, absent: bool) -> Draft | None:
        """The write decides again, behind the look."""
        test, statement = program.parent(asked), step.statement
        if not isinstance(test, ast.If) or test.test is not asked or isinstance(statement, ast.Return):
            return None
        draft = Draft(program)
        last = program.block(statement).statements[-1] is statement
        if absent and last and statement in test.body:
            draft.rewrite(statement, step.text)
            return draft if not test.orelse and _only_computes(test.body[:-1]) else None
        between = same_block(program, test, statement)
        if absent or between is None or test.orelse or not owns_its_lines(program, statement):
            return None
        if not _only_computes(between):
            return None
        leaving = test.body[0]
        if len(test.body) > 1 or not isinstance(leaving, ast.Return | ast.Continue | ast.Raise):
            return None
        if (
            last
            and isinstance(leaving, ast.Return)
            and leaving.value is None
            and _ends_function(program, test)
        ):
            draft.rewrite(statement, step.text)
            return draft
        words = program.source(leaving)
        if "\n" in words or "\r" in words:
            return None
        indent = program.indent(statement) + unit_at(program, statement)
        draft.rewrite(statement, f"if not {step.text}:")
        stop = program.lines.stops[(statement.end_lineno or statement.lineno) - 1]
        draft.insert(stop, f"{program.ending(statement)}{indent}{words}")
        return draft

    def _look(self, program: Program) -> tuple[ast.expr, bool] | None:
        """What asks, and whether it is true of a key that is there."""
        if self.look.form == "contains":
            node = program.expression(self.look.span)
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                return node, isinstance(node.ops[0], ast.In)
            return None
        found = find(program, self.look)
        wanted = {"exists": 1, "hexists": 2}.get(self.look.method)
        if found is None or not plain(found):
            return None
        given = len(found.node.args) + len(found.node.keywords)
        return (found.whole, True) if given == wanted else None

    def _step(self, program: Program) -> Step | None:
        """The write as one that tells whether it wrote."""
        if self.write.form == "subscript":
            return self._from_item(program)
        found = find(program, self.write)
        if found is None or not plain(found):
            return None
        returned = isinstance(found.statement, ast.Return) and found.statement.value is found.whole
        if not found.alone and not returned:
            return None
        text = self._written(program, found)
        if text is None:
            return None
        lost: object = False if self.write.command == "HSET" else None
        return Step(found.statement, text, "bool({})", lost)

    def _written(self, program: Program, found: Written) -> str | None:
        given = {name for name, _ in self.write.arguments}
        method = self.write.method
        if method == "set" and self.look.command != "HEXISTS":
            if given - {"name", "value"} - _LIFETIMES or len(found.node.args) > 2:
                return None
            return edited(program, found.whole, lambda draft: draft.add_argument(found.node, "nx=True"))
        if method in _SETEX and self.look.command != "HEXISTS":
            key, time, value = (found.text(*names) for names in (("name",), ("time",), ("value",)))
            if key is None or time is None or value is None or given != {"name", "time", "value"}:
                return None
            new = f"set({key}, {value}, {_SETEX[method]}={time}, nx=True)"
            assert isinstance(found.node.func, ast.Attribute)
            awaited = "await " if found.whole is not found.node else ""
            return f"{awaited}{program.source(found.node.func.value)}.{new}"
        if method == "hset" and self.look.command == "HEXISTS" and given == {"name", "key", "value"}:
            return edited(program, found.whole, lambda draft: draft.rename_method(found.node, "hsetnx"))
        return None

    def _from_item(self, program: Program) -> Step | None:
        item = program.expression(self.write.span)
        statement = None if item is None else program.parent(item)
        if (
            not isinstance(item, ast.Subscript)
            or not isinstance(statement, ast.Assign)
            or len(statement.targets) != 1
            or isinstance(statement.value, ast.Tuple)
            or self.look.command == "HEXISTS"
        ):
            return None
        client, key, value = map(program.source, (item.value, item.slice, statement.value))
        return Step(statement, f"{client}.set({key}, {value}, nx=True)", "bool({})", None)

    @staticmethod
    def _cheap(statement: ast.stmt) -> bool:
        """What the write is given costs nothing and changes nothing."""
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        outer = calls[:1] if isinstance(statement, ast.Expr | ast.Return) else []
        if sum(isinstance(node, _NO_VALUE) for node in ast.walk(statement)) > len(outer):
            return False
        return all(_callee(call) in _CHEAP for call in calls if call not in outer)


def _only_computes(statements: Iterable[ast.stmt]) -> bool:
    """Work that is done before the write decides would still be done twice."""
    return all(isinstance(each, ast.Assign | ast.AnnAssign) for each in statements)


def _ends_function(program: Program, statement: ast.stmt) -> bool:
    """Its block is the body of the function itself."""
    return isinstance(program.block(statement).owner, ast.FunctionDef | ast.AsyncFunctionDef)


def _callee(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
