"""Where one call stands that comes after another, and on which ways it is reached.

Law of this file: what is not known to be reached after the first call is None; errors that are raised on the way are
left out of account.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redis_guard.fixes.program import Program
from redis_guard.repairs.answers import Answer, kept_in, surely_evaluated
from redis_guard.repairs.leaving import always_leaves, breaks, leave
from redis_guard.repairs.rebinding import rebound


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

    tried: bool = False
    """Errors of one of the two are handled, and errors of the other one are not."""


def afterwards(
    program: Program, whole: ast.expr, second: ast.stmt, *, tells: bool, none: bool = False
) -> Afterwards | None:
    """How `second` comes after the call `whole` (with its `await`).

    `tells`: its answer says whether it succeeded; `none`: and is None where it did not.
    """
    first = program.statement(whole)
    answer = (
        Answer(whole, kept_in(program, whole, first), none) if tells else Answer(ast.Constant(None), None)
    )
    if not surely_evaluated(whole, first, answer):
        return None
    return _Way(program, first, answer).to(second)


def afterwards_of(
    program: Program, first: ast.stmt, second: ast.stmt, *, stays: bool = False
) -> Afterwards | None:
    """The same after a statement without an answer; `stays`: the second statement is not to be taken out."""
    return _Way(program, first, Answer(ast.Constant(None), None), stays).to(second)


@dataclass(slots=True)
class _Way:
    program: Program
    first: ast.stmt
    answer: Answer
    stays: bool = False

    def to(self, second: ast.stmt) -> Afterwards | None:
        """Outwards from the second call, until the first one's statement stands in the same block or around it."""
        between: tuple[ast.AST, ...] = ()
        guard: ast.If | None = None
        tried = False
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
                return self._in_one_block((*way, *between), guard, tried=tried)
            between = (*before, *between)
            if owner is self.first:
                return self._inside(block.statements, between, tried=tried)
            if len(block.statements) == 1 and not isinstance(owner, ast.If) and not self.stays:
                return self._out_of_branch(second)  # without it, the block would have nothing to do
            if isinstance(owner, ast.With | ast.AsyncWith):
                between = (*owner.items, *between)
            elif isinstance(owner, ast.If) and guard is None and self._guards(owner, block.statements):
                guard = owner
            elif isinstance(owner, ast.Try) and block.statements is owner.body:
                tried = True
            else:
                return self._out_of_branch(second)
            place = owner

    def _guards(self, owner: ast.If, arm: Sequence[ast.stmt]) -> bool:
        if self.answer.kept is None:
            return False
        return self.answer.won(owner.test) if arm is owner.body else self.answer.lost(owner.test)

    def _inside(
        self, arm: Sequence[ast.stmt], between: tuple[ast.AST, ...], *, tried: bool
    ) -> Afterwards | None:
        """`if r.setnx(…):` holds the second call itself."""
        first = self.first
        if not isinstance(first, ast.If) or leave(between):
            return None
        won = self.answer.won(first.test) if arm is first.body else self.answer.lost(first.test)
        return Afterwards(between, "won", first, tried=tried) if won else None

    def _in_one_block(
        self, between: tuple[ast.AST, ...], guard: ast.If | None, *, tried: bool
    ) -> Afterwards | None:
        first, won, branch = self.first, guard is not None, False
        match first:
            case ast.If(test=test, body=body, orelse=orelse):
                if self.answer.lost(test) and always_leaves(body):
                    between, won = (*orelse, *between), True
                else:
                    between = (*body, *orelse, *between)
                    branch = any(isinstance(node, ast.BoolOp) for node in ast.walk(test))
            case ast.While(test=test, body=body):
                if not self.answer.lost(test) or any(breaks(each) for each in body):
                    return None
                won = True
            case ast.Assert(test=test):
                if not self.answer.won(test):
                    return None
                won = True
        if self.answer.kept is not None:
            if rebound(self.answer.kept, between):
                return None
            exits = [each for each in between if self._is_exit(each)]
            won = won or bool(exits)
            between = tuple(each for each in between if not any(each is known for known in exits))
        if leave(between):
            return None
        return Afterwards(between, "won" if won else "always", guard, branch, tried)

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
        branch = tried = False
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
                return None if leave(between) else Afterwards(between, "always", None, branch, tried)
            tail = (*tail, *_behind(block.statements, place))
            owner = block.owner
            if isinstance(owner, ast.If):
                branch = True
            elif isinstance(owner, ast.Try) and block.statements is owner.body:
                if not all(always_leaves(handler.body) for handler in owner.handlers):
                    return None
                tail = (*tail, *owner.orelse, *owner.finalbody)
                tried = True
            elif not isinstance(owner, ast.With | ast.AsyncWith):
                return None
            place = owner


def _before(statements: Sequence[ast.stmt], place: ast.stmt) -> tuple[ast.stmt, ...]:
    number = next(number for number, each in enumerate(statements) if each is place)
    return tuple(statements[:number])


def _behind(statements: Sequence[ast.stmt], place: ast.stmt) -> tuple[ast.stmt, ...]:
    number = next(number for number, each in enumerate(statements) if each is place)
    return tuple(statements[number + 1 :])
