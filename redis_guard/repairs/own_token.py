"""A hand-made lock gets a token of its holder's own, and is given back by a script that compares it.

Law of this file: the whole lock is put right or nothing: its taking, and every deletion that gives it back. Where the
token of the taking cannot be seen from a deletion, there is no fix.
"""

import ast
from dataclasses import dataclass

from redis_guard.behaviour.handmade import deletes, is_checked, pairs, takes
from redis_guard.behaviour.lookups import says_value
from redis_guard.behaviour.sameness import same_key
from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import CacheCall, Call, ModuleUses
from redis_guard.repairs.plainly import plain
from redis_guard.repairs.release_script import random_token, release_call
from redis_guard.repairs.variables import holds, is_sure_before
from redis_guard.repairs.written import Written, find

_ENTERING = frozenset({"__enter__", "__aenter__"})
_LEAVING = frozenset({"__exit__", "__aexit__"})
_TITLE = "Give the lock a token of its holder's own, and delete it only while that is in it"


@dataclass(frozen=True, slots=True)
class OwnToken:
    """A lock: `taking` is a SET NX or SETNX, each of `deletions` a DELETE that gives it back."""

    taking: Call
    deletions: tuple[Call, ...]
    constant: bool
    """Every holder stores the same value."""
    sole_client: bool
    """No other client of the file gives locks back."""

    def fix(self, program: Program) -> Fix | None:
        taking = find(program, self.taking)
        found = [find(program, deletion) for deletion in self.deletions]
        deletions = [each for each in found if each is not None and _plain(each)]
        if taking is None or not _plain(taking) or len(deletions) != len(found) or not deletions:
            return None
        if any(each.call.client != self.taking.client for each in deletions) and not self._one_object():
            return None
        value = taking.argument("value")
        if value is None:
            return None
        draft = Draft(program)
        if all(each.call.function.scope == self.taking.function.scope for each in deletions):
            token = self._of_function(draft, taking, value)
        else:
            token = self._of_object(draft, taking, value)
        if token is None:
            return None
        for deletion in deletions:
            key = program.source(deletion.node.args[0])
            text = release_call(draft, deletion, key, token, register=self.sole_client)
            draft.rewrite(deletion.node, text)
        return draft.fix(_TITLE, "unsafe")

    def _one_object(self) -> bool:
        """`self.client` in the methods of one class."""
        receivers = {call.receiver for call in (self.taking, *self.deletions)}
        return len(receivers) == 1 and next(iter(receivers)).startswith("self.")

    def _of_function(self, draft: Draft, taking: Written, value: ast.expr) -> str | None:
        """A variable that holds the token before the lock is taken."""
        program = draft.program
        if isinstance(program.function(taking.node), ast.Lambda):
            return None
        ends = [program.statement(node) for each in self.deletions if (node := program.call(each.span))]
        if not self.constant and (given := holds(program, value)) is not None:
            sure = given is value or all(is_sure_before(program, given, end) for end in ends)
            return program.source(value) if sure else None
        token = random_token(draft) if self.constant else _made_once(program, taking, value)
        statement = _spot(program, taking.statement, ends) if self.constant else taking.statement
        if token is None or statement is None or _in_comprehension(program, taking):
            return None
        if not _begins_its_line(program, statement):
            return None
        if not all(is_sure_before(program, statement, end) for end in ends):
            return None
        name = program.new_name("token", "lock_token", "own_token")
        line = program.lines.starts[statement.lineno - 1] + len(program.indent(statement))
        draft.insert(line, f"{name} = {token}{program.ending(statement)}{program.indent(statement)}")
        draft.rewrite(value, name)
        return name

    def _of_object(self, draft: Draft, taking: Written, value: ast.expr) -> str | None:
        """An attribute of a context manager: its `__enter__` takes the lock, its `__exit__` gives it back."""
        program = draft.program
        functions = {call.function.name for call in self.deletions}
        if self.taking.function.name not in _ENTERING or not functions <= _LEAVING:
            return None
        if len({call.function.cls for call in (self.taking, *self.deletions)}) != 1:
            return None
        if not self.constant:
            attribute = isinstance(value, ast.Attribute) and program.source(value).startswith("self.")
            return program.source(value) if attribute else None
        method = program.function(taking.node)
        owner = None if method is None else program.parent(method)
        last = _end_of_init(owner) if isinstance(owner, ast.ClassDef) else None
        token = random_token(draft)
        if last is None or token is None or not _begins_its_line(program, last):
            return None
        name = f"self.{program.new_name('_token', '_lock_token')}"
        ending, number = program.ending(last), (last.end_lineno or last.lineno) + 1
        if number > len(program.lines):
            return None
        draft.insert(program.lines.starts[number - 1], f"{program.indent(last)}{name} = {token}{ending}")
        draft.rewrite(value, name)
        return name


def own_token(taking: Call | CacheCall, module: ModuleUses) -> OwnToken | None:
    """The lock that a taking belongs to, put right as a whole; None where that cannot be."""
    if isinstance(taking, CacheCall) or taking.lent_by is not None:
        return None
    found = list(pairs(module))
    own = [deletion for other, deletion in found if other is taking and isinstance(deletion, Call)]
    here = module.of_function(taking.function)
    # a second lock of the function has its turn when this one has its variable
    if not own or any(
        other.place.order < taking.place.order for other, _ in found if other in here and other is not taking
    ):
        return None
    own += [call for call in here if deletes(call) and call not in own and same_key(taking, call)]
    value = taking.argument("value")
    constant = value is not None and bool(value.constants)
    seen = [call for call in module.calls if says_value(call) and same_key(taking, call)]
    if any(takes(call) for call in here if call is not taking and same_key(taking, call)):
        return None
    if constant and (seen or any(is_checked(deletion, module) for deletion in own)):
        return None  # somebody reads the constant
    open_ones = tuple(deletion for deletion in own if not is_checked(deletion, module))
    return OwnToken(taking, open_ones, constant, sole_client(module))


def sole_client(module: ModuleUses) -> bool:
    """One variable of the file, and no other, gives keys back."""
    return len({call.receiver for call in module.calls if deletes(call)}) == 1


def _plain(call: Written) -> bool:
    """`client.method(key, …)`, done at once."""
    if not plain(call):
        return False
    if call.call.method in ("delete", "unlink"):
        return len(call.node.args) == 1 and not call.node.keywords
    return call.call.method in ("set", "setnx")


def _made_once(program: Program, taking: Written, value: ast.expr) -> str | None:
    """The expression of a token, to be written before the statement that takes the lock."""
    text = program.source(value)
    again = isinstance(taking.statement, ast.While) or isinstance(value, ast.NamedExpr)
    return None if again or "\n" in text or "\r" in text else text


def _spot(program: Program, taking: ast.stmt, ends: list[ast.stmt]) -> ast.stmt | None:
    """The statement before which a token can be made, so that it is there on every way to a deletion."""
    spot: ast.AST | None = taking
    while isinstance(spot, ast.Try | ast.If | ast.With | ast.AsyncWith | ast.ExceptHandler) or spot is taking:
        if isinstance(spot, ast.stmt) and all(is_sure_before(program, spot, end) for end in ends):
            if not program.text.startswith("elif", program.start(spot)):
                return spot
        assert spot is not None
        spot = program.parent(spot)
    return None


def _begins_its_line(program: Program, statement: ast.stmt) -> bool:
    line = program.lines.starts[statement.lineno - 1]
    return not program.text[line : program.start(statement)].strip() and not program.text.startswith(
        "elif", program.start(statement)
    )


def _in_comprehension(program: Program, taking: Written) -> bool:
    """Where a statement before it would not be made anew."""
    comprehensions = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    for above in program.parents(taking.node):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, comprehensions):
            return True
    return False


def _end_of_init(owner: ast.ClassDef) -> ast.stmt | None:
    """The last statement of `__init__`, which is reached whenever an object is made."""
    slots = any(isinstance(each, ast.Name) and each.id == "__slots__" for each in ast.walk(owner))
    for each in owner.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__" and not slots:
            returns = any(isinstance(one, ast.Return) for one in ast.walk(each))
            return None if returns or each.body[-1].lineno == each.lineno else each.body[-1]
    return None
