"""Where one call stands that comes after another, and on which ways it is reached.

Law of this file: what is not known to be reached after the first call is None; errors that are raised on the way are
left out of account.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redis_guard.fixes.program import Program

_LOOPS = ast.For | ast.AsyncFor | ast.While
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Afterwards:
    """The way from a write to the statement of a later call."""

    between: tuple[ast.AST, ...]
    """What is evaluated on the way."""
    reached: Literal["won", "always"]
    """The second call happens where the first one succeeded, or whatever it answered."""
    guard: ast.If | None = None
    """The `if` that tests the first one's answer, with the second call in one of its arms."""
    branch: bool = False
    """The first call stands in a branch which the second one lies behind: that one is reached on other ways too."""

    @property
    def adjacent(self) -> bool:
        return not self.between and not self.branch


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a write answered, in the tests after it."""

    whole: ast.expr
    name: str | None

    def won(self, test: ast.expr) -> bool:
        """The test is true exactly where the write succeeded, and then nothing else decides."""
        match test:
            case ast.NamedExpr(value=value):
                return self.won(value)
            case ast.BoolOp(op=ast.And(), values=[*_, last]) if self.name is None:
                return self.won(last)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.lost(operand)
            case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=True)]):
                return self.won(left)
        return self._is(test)

    def lost(self, test: ast.expr) -> bool:
        """The test is false exactly where the write succeeded."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if self.name is None:
                return self.lost(last)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.won(operand)
            case ast.Compare(
                left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=True)]
            ):
                return self.won(left)
        return False

    def _is(self, test: ast.expr) -> bool:
        return test is self.whole or (isinstance(test, ast.Name) and test.id == self.name)


def afterwards(program: Program, whole: ast.expr, second: ast.stmt, *, tells: bool) -> Afterwards | None:
    """How `second` comes after the call `whole` (with its `await`); `tells`: its answer says whether it succeeded."""
    first = program.statement(whole)
    answer = _Answer(whole, _kept_as(program, whole, first)) if tells else _Answer(ast.Constant(None), None)
    if not _surely_evaluated(whole, first, answer):
        return None
    return _Way(program, first, answer).to(second)


def afterwards_of(program: Program, first: ast.stmt, second: ast.stmt) -> Afterwards | None:
    """The same after a statement without an answer."""
    return _Way(program, first, _Answer(ast.Constant(None), None)).to(second)


def _kept_as(program: Program, whole: ast.expr, first: ast.stmt) -> str | None:
    match first:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is whole:
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is whole:
            return name
    above = program.parent(whole)
    return above.target.id if isinstance(above, ast.NamedExpr) and isinstance(first, ast.Expr) else None


def _surely_evaluated(whole: ast.expr, first: ast.stmt, answer: _Answer) -> bool:
    """The call happens whenever its statement does, or where it does not the test says so."""
    match first:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
            return value is whole or (isinstance(value, ast.NamedExpr) and value.value is whole)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            return answer.won(test) or answer.lost(test)
    return False


@dataclass(slots=True)
class _Way:
    program: Program
    first: ast.stmt
    answer: _Answer

    def to(self, second: ast.stmt) -> Afterwards | None:
        """Outwards from the second call, until the first one's statement stands in the same block or around it."""
        between: tuple[ast.AST, ...] = ()
        guard: ast.If | None = None
        place = second
        while True:
            try:
                block = self.program.block(place)
            except LookupError:
                return None
            before = _before(block.statements, place)
            owner = block.owner
            if any(each is self.first for each in before):
                way = _behind(before, self.first)
                return self._in_one_block((*way, *between), guard)
            between = (*before, *between)
            if owner is self.first:
                return self._inside(block.statements, between)
            if isinstance(owner, ast.With | ast.AsyncWith):
                between = (*owner.items, *between)
            elif isinstance(owner, ast.If) and guard is None and self._guards(owner, block.statements):
                guard = owner
            elif not (isinstance(owner, ast.Try) and block.statements is owner.body):
                return self._out_of_branch(second)
            place = owner

    def _guards(self, owner: ast.If, arm: Sequence[ast.stmt]) -> bool:
        if self.answer.name is None:
            return False
        return self.answer.won(owner.test) if arm is owner.body else self.answer.lost(owner.test)

    def _inside(self, arm: Sequence[ast.stmt], between: tuple[ast.AST, ...]) -> Afterwards | None:
        """`if r.setnx(…):` holds the second call itself."""
        first = self.first
        if not isinstance(first, ast.If) or leave(between):
            return None
        won = self.answer.won(first.test) if arm is first.body else self.answer.lost(first.test)
        return Afterwards(between, "won", first) if won else None

    def _in_one_block(self, between: tuple[ast.AST, ...], guard: ast.If | None) -> Afterwards | None:
        first, won = self.first, guard is not None
        match first:
            case ast.If(test=test, body=body, orelse=orelse):
                if self.answer.lost(test) and always_leaves(body):
                    between, won = (*orelse, *between), True
                else:
                    between = (*body, *orelse, *between)
            case ast.While(test=test, body=body):
                if not self.answer.lost(test) or any(_breaks(each) for each in body):
                    return None
                won = True
            case ast.Assert(test=test):
                won = self.answer.won(test)
        if self.answer.name is not None:
            if rebound(ast.Name(self.answer.name, ast.Load()), between):
                return None
            exits = [each for each in between if self._is_exit(each)]
            won = won or bool(exits)
            between = tuple(each for each in between if not any(each is known for known in exits))
        if leave(between):
            return None
        return Afterwards(between, "won" if won else "always", guard)

    def _is_exit(self, statement: ast.AST) -> bool:
        """`if not won: return`."""
        return (
            isinstance(statement, ast.If)
            and self.answer.lost(statement.test)
            and always_leaves(statement.body)
            and not statement.orelse
        )

    def _out_of_branch(self, second: ast.stmt) -> Afterwards | None:
        """The first call stands in a branch, and the second one in a block around it."""
        tail: tuple[ast.AST, ...] = ()
        place: ast.stmt = self.first
        if not isinstance(place, ast.Expr | ast.Assign | ast.AnnAssign):
            return None
        branch = False
        while True:
            try:
                block = self.program.block(place)
            except LookupError:
                return None
            if any(each is second for each in block.statements):
                before = _before(block.statements, second)
                if not any(each is place for each in before):
                    return None
                between = (*tail, *_behind(before, place))
                return None if leave(between) else Afterwards(between, "always", None, branch)
            tail = (*tail, *_behind(block.statements, place))
            owner = block.owner
            if isinstance(owner, ast.If):
                branch = True
            elif not isinstance(owner, ast.With | ast.AsyncWith):
                return None
            place = owner


def _before(statements: Sequence[ast.stmt], place: ast.stmt) -> tuple[ast.stmt, ...]:
    number = next(number for number, each in enumerate(statements) if each is place)
    return tuple(statements[:number])


def _behind(statements: Sequence[ast.stmt], place: ast.stmt) -> tuple[ast.stmt, ...]:
    number = next(number for number, each in enumerate(statements) if each is place)
    return tuple(statements[number + 1 :])


def always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Control never passes the end of these statements."""
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def leave(nodes: Iterable[ast.AST]) -> bool:
    """On some way through them, what comes after them is not reached."""
    return any(_leaves(node, in_loop=False) for node in nodes)


def _leaves(node: ast.AST, *, in_loop: bool) -> bool:
    if isinstance(node, ast.Return | ast.Raise):
        return True
    if isinstance(node, ast.Break | ast.Continue):
        return not in_loop
    if isinstance(node, _DEFINITIONS):
        return False
    inner = in_loop or isinstance(node, _LOOPS)
    return any(_leaves(child, in_loop=inner) for child in ast.iter_child_nodes(node))


def _breaks(node: ast.AST) -> bool:
    """It ends the loop that it stands in."""
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, (*_LOOPS.__args__, *_DEFINITIONS.__args__)):
        return False
    return any(_breaks(child) for child in ast.iter_child_nodes(node))


def rebound(value: ast.expr, nodes: Iterable[ast.AST]) -> bool:
    """Some name or attribute that the value is made of is given another value in these nodes."""
    used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    fields = {ast.dump(_as_read(node)) for node in ast.walk(value) if isinstance(node, ast.Attribute)}
    for node in (inner for each in nodes for inner in ast.walk(each)):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in used:
                return True
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if ast.dump(_as_read(node)) in fields:
                return True
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if name in used:
                    return True
            case ast.alias(name=name, asname=other) if (other or name.partition(".")[0]) in used:
                return True
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) if name in used:
                return True
    return False


def _as_read(node: ast.Attribute) -> ast.Attribute:
    return ast.Attribute(node.value, node.attr, ast.Load())
