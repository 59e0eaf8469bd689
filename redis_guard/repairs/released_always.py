"""What is done with a lock goes into a `with`, or into a `try` whose `finally` releases it.

Law of this file: the one release stands where every way without a failure comes by. A way that leaves before it keeps
the lock on purpose, or by a mistake that nobody can tell from it: then there is no fix.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.indenting import first_line, indent_lines, owns_its_lines, unit_at
from redis_guard.fixes.program import Program
from redis_guard.project.model import Held, LockUse
from redis_guard.repairs.leaving import leaves
from redis_guard.repairs.variables import assigned, reads
from redis_guard.repairs.written import neighbours

_LEAVES = ast.Return | ast.Raise | ast.Continue | ast.Break


@dataclass(frozen=True, slots=True)
class ReleasedAlways:
    """`taking` and `release` are the only ones of a lock in their function."""

    held: Held
    taking: LockUse
    release: LockUse
    sure: bool
    """`acquire()` waits until it has the lock, and the making of the lock is seen: `with` does the same."""

    def fix(self, program: Program) -> Fix | None:
        taking, release = program.call(self.taking.span), program.call(self.release.span)
        if taking is None or release is None:
            return None
        if not _alone(program, release) or release.args:
            return None
        last = self._tail(program, program.statement(release))
        if not owns_its_lines(program, last):
            return None
        answer = _answer(program, taking)
        first = program.statement(answer)
        within = program.block(last)
        if isinstance(within.owner, ast.Try) and within.owner.finalbody is within.statements:
            return self._higher(program, answer, within.owner)
        between = _between(program, answer, last)
        if between is None or not between or not all(owns_its_lines(program, each) for each in between):
            return None
        if any(leaves(each) for each in between):
            return None
        same_level = any(each is first for each in within.statements)
        bare = last is program.statement(release) and not (taking.args or taking.keywords)
        if same_level and self.sure and bare and _alone(program, taking):
            return self._with(program, taking, between, last)
        if same_level and not _tells(program, answer):
            return None
        return self._try(program, between, last)

    def _tail(self, program: Program, release: ast.stmt) -> ast.stmt:
        """The release, with a question to the lock or a handler around it."""
        block = program.block(release)
        above = block.owner
        if block.statements != [release]:
            return release
        if isinstance(above, ast.If) and above.body == [release] and not above.orelse:
            asked = program.source(above.test).removeprefix("await ")
            return above if asked == f"{self.held.text}.owned()" else release
        plain = isinstance(above, ast.Try) and not above.orelse and not above.finalbody
        return above if plain and isinstance(above, ast.Try) and above.body == [release] else release

    def _with(
        self, program: Program, taking: ast.Call, between: list[ast.stmt], release: ast.stmt
    ) -> Fix | None:
        first = program.statement(taking)
        assert isinstance(taking.func, ast.Attribute)
        if not owns_its_lines(program, first):
            return None
        draft = Draft(program)
        word = "async with" if self.held.asynchronous else "with"
        draft.rewrite(first, f"{word} {program.source(taking.func.value)}:")
        self._deeper(draft, between, release, (first.end_lineno or first.lineno) + 1)
        draft.remove_statement(release)
        return draft.fix("Hold the lock in a `with`, which releases it also when something fails", "unsafe")

    def _try(self, program: Program, between: list[ast.stmt], release: ast.stmt) -> Fix | None:
        draft = Draft(program)
        unit, indent = unit_at(program, release), program.indent(between[0])
        only = between[0] if len(between) == 1 else None
        if not isinstance(only, ast.Try) or only.finalbody:
            number = first_line(between[0])
            draft.insert(program.lines.starts[number - 1], f"{indent}try:{program.ending(between[0])}")
            self._deeper(draft, between, release, number)
        line = program.lines.starts[release.lineno - 1]
        draft.insert(line, f"{program.indent(release)}finally:{program.ending(release)}")
        indent_lines(draft, release.lineno, release.end_lineno or release.lineno, unit)
        return draft.fix("Release the lock in a `finally`", "unsafe")

    @staticmethod
    def _higher(program: Program, answer: ast.expr, tried: ast.Try) -> Fix | None:
        """`acquire(); work(); try: … finally: release()`: the `try` begins earlier."""
        first = program.statement(answer)
        if tried.handlers or tried.orelse or not owns_its_lines(program, tried):
            return None
        between = _between(program, answer, tried)
        if not between or any(leaves(each) or not owns_its_lines(program, each) for each in between):
            return None
        if not any(each is first for each in program.block(tried).statements):
            return None
        if not _tells(program, answer):
            return None
        header = program.lines.line(tried.lineno).strip()
        if header != "try:":
            return None
        draft = Draft(program)
        indent, ending = program.indent(between[0]), program.ending(between[0])
        number = first_line(between[0])
        draft.insert(program.lines.starts[number - 1], f"{indent}try:{ending}")
        indent_lines(draft, number, tried.lineno - 1, unit_at(program, tried))
        begin = program.lines.starts[tried.lineno - 1]
        draft.replace(begin, program.lines.starts[tried.lineno], "")
        return draft.fix("Begin the `try` right after acquire()", "unsafe")

    @staticmethod
    def _deeper(draft: Draft, between: list[ast.stmt], release: ast.stmt, first: int) -> None:
        """Comments before a release that goes belong to the work; before one that stays, to the release."""
        program = draft.program
        indent_lines(draft, first, between[-1].end_lineno or between[-1].lineno, unit_at(program, release))


def _alone(program: Program, call: ast.Call) -> bool:
    """A statement of its own, awaited or not."""
    statement = program.statement(call)
    above = program.parent(call)
    whole = above if isinstance(above, ast.Await) else call
    return isinstance(statement, ast.Expr) and statement.value is whole


def _answer(program: Program, taking: ast.Call) -> ast.expr:
    """What says whether the lock was got: the call, or the variable that the very next statement asks."""
    above = program.parent(taking)
    whole = above if isinstance(above, ast.Await) else taking
    name = assigned(program, whole)
    if name is not None:
        for read in reads(program, name, program.statement(whole)):
            test = program.statement(read)
            if isinstance(test, ast.If) and neighbours(program, program.statement(whole), test):
                return read
    return whole


def _between(program: Program, answer: ast.expr, last: ast.stmt) -> list[ast.stmt] | None:
    """What is done with the lock until the release; None where it is not so simply arranged."""
    block = program.block(last)
    first = program.statement(answer)
    end = next(number for number, each in enumerate(block.statements) if each is last)
    for number, each in enumerate(block.statements[:end]):
        if each is first:
            return block.statements[number + 1 : end]
    owner = block.owner
    if isinstance(owner, ast.If) and owner is first and block.statements is owner.body:
        conjunction = isinstance(owner.test, ast.BoolOp) and isinstance(owner.test.op, ast.And)
        if owner.test is answer or (conjunction and program.parent(answer) is owner.test):
            return block.statements[:end]
    return None


def _tells(program: Program, answer: ast.expr) -> bool:
    """Behind the statement the lock is held: it waits for it, or leaves without it."""
    statement = program.statement(answer)
    if isinstance(statement, ast.Expr):
        return statement.value is answer
    if isinstance(statement, ast.If) and not statement.orelse:
        test = statement.test
        negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is answer
        return negated and isinstance(statement.body[-1], _LEAVES)
    return False
