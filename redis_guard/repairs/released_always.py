"""What is done with a lock goes into a `with`, or into a `try` whose `finally` releases it.

Law of this file: the one release stands where every way without a failure comes by. A way that leaves before it keeps
the lock on purpose, or by a mistake that nobody can tell from it: then there is no fix.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.indenting import indent_lines, owns_its_lines, unit_at
from redis_guard.fixes.program import Program
from redis_guard.project.model import Held, LockUse
from redis_guard.repairs.leaving import leaves

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
        first, last = program.statement(taking), program.statement(release)
        if not _alone(program, release) or not owns_its_lines(program, last) or release.args:
            return None
        within = program.block(last)
        tail = last
        if isinstance(within.owner, ast.Try) and within.owner.finalbody is within.statements:
            return self._higher(program, taking, within.owner)
        between = _between(program, first, tail)
        if between is None or not between or not all(owns_its_lines(program, each) for each in between):
            return None
        if any(leaves(each) for each in between):
            return None
        same_level = any(each is first for each in within.statements)
        if same_level and self.sure and _alone(program, taking) and not (taking.args or taking.keywords):
            return self._with(program, taking, between, last)
        if same_level and not _tells(program, first, taking):
            return None
        return self._try(program, between, last)

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
        indent, ending = program.indent(between[0]), program.ending(between[0])
        start = program.lines.starts[between[0].lineno - 1]
        draft.insert(start, f"{indent}try:{ending}")
        self._deeper(draft, between, release, between[0].lineno)
        unit = unit_at(program, release)
        draft.insert(program.start(release), f"finally:{program.ending(release)}{indent}{unit}")
        return draft.fix("Release the lock in a `finally`", "unsafe")

    def _higher(self, program: Program, taking: ast.Call, tried: ast.Try) -> Fix | None:
        """`acquire(); work(); try: … finally: release()`: the `try` begins earlier."""
        first = program.statement(taking)
        if tried.handlers or tried.orelse or not owns_its_lines(program, tried):
            return None
        between = _between(program, first, tried)
        if not between or any(leaves(each) or not owns_its_lines(program, each) for each in between):
            return None
        if not any(each is first for each in program.block(tried).statements):
            return None
        if not _tells(program, first, taking):
            return None
        header = program.lines.line(tried.lineno).strip()
        if header != "try:":
            return None
        draft = Draft(program)
        indent, ending = program.indent(between[0]), program.ending(between[0])
        draft.insert(program.lines.starts[between[0].lineno - 1], f"{indent}try:{ending}")
        indent_lines(draft, between[0].lineno, tried.lineno - 1, unit_at(program, tried))
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


def _between(program: Program, first: ast.stmt, last: ast.stmt) -> list[ast.stmt] | None:
    """What is done from the taking to the release, both left out; None where they are not so simply arranged."""
    statements = program.block(last).statements
    end = next(number for number, each in enumerate(statements) if each is last)
    for number, each in enumerate(statements[:end]):
        if each is first:
            return statements[number + 1 : end]
    owner = program.block(last).owner
    if isinstance(owner, ast.If) and owner is first and statements is owner.body:
        return statements[:end]
    return None


def _tells(program: Program, statement: ast.stmt, taking: ast.Call) -> bool:
    """Behind the statement the lock is held: it waits for it, or leaves without it."""
    if _alone(program, taking):
        return True
    if isinstance(statement, ast.If) and not statement.orelse:
        test = statement.test
        asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
        above = program.parent(taking)
        whole = above if isinstance(above, ast.Await) else taking
        return asked is whole and isinstance(statement.body[-1], _LEAVES)
    return False
