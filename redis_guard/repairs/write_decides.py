"""The look at a key goes, and the write that depends on it decides: SET NX, HSETNX.

Law of this file: the write's value is made before it is known whether it is needed, so it has to be a cheap one; where
it is not, the look stays as a way to spare it.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.fixes.reading import edited
from redis_guard.project.model import Call
from redis_guard.repairs.deciding import Step, asking, decide
from redis_guard.repairs.plainly import at_once, plain
from redis_guard.repairs.variables import assigned, reads
from redis_guard.repairs.written import Written, find, neighbours

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
        draft = Draft(program)
        name = assigned(program, node)
        if name is not None:
            read = reads(program, name, program.statement(node))
            if len(read) != 1 or not neighbours(program, program.statement(name), program.statement(read[0])):
                return None
            draft.remove_statement(program.statement(name))
            node = read[0]
        asked, absent = asking(program, node, not present)
        writes = "HSETNX" if self.write.command == "HSET" else "SET NX"
        if not self._cheap(step.statement):
            return self._kept(draft, asked, absent, step, writes) if name is None else None
        if not decide(draft, asked, absent, step):
            return None
        return draft.fix(f"Let {writes} decide; its value is made in any case", "unsafe")

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

    def _kept(self, draft: Draft, asked: ast.expr, absent: bool, step: Step, writes: str) -> Fix | None:
        """`if absent: write` with nothing that depends on who wrote."""
        test = draft.program.parent(asked)
        alone = isinstance(test, ast.If) and test.test is asked and test.body == [step.statement]
        if not absent or not alone or not isinstance(step.statement, ast.Expr | ast.Assign):
            return None
        draft.rewrite(step.statement, step.text)
        return draft.fix(f"Let {writes} decide; the look before it spares the making of the value", "unsafe")


def _callee(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
