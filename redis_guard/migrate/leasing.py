"""From "got it or not" to a lease: the answer, the tests that ask it, and where the lock is given back.

Law of this file: control flow stays as it was. What ran without the lock runs without it, and what ended in
`finally` ends with the lease.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from redis_guard.migrate.asked import compares, held_at, in_test, polarity
from redis_guard.migrate.bindings import bindings, reads, seen_within
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page

_NOTHING = (None, False)


@dataclass(frozen=True, slots=True)
class Taking:
    """A lock is tried for."""

    whole: ast.expr
    """The expression that answers, `await` included."""
    text: str
    """What gives a lease, or None."""
    asynchronous: bool
    releases: tuple[ast.stmt, ...]
    """Each is one way to give the lock back."""
    truth: bool = False
    """The answer is True or False, never None."""


def rewrite(page: Page, taking: Taking) -> None:
    """Draft the edits. Raises Refused."""
    answer = _Answer.of(page, taking)
    for release in taking.releases:
        if not held_at(page.program, release, answer.says):
            raise Refused(f"line {release.lineno} gives it back although it may not have been taken")
    name = page.new_name(taking.whole, "lease", "lock_lease")
    gone = [part for release in taking.releases if (part := _as_with(page, taking, answer, release, name))]
    for release in taking.releases:
        if not any(_inside(page, release, part) for part in gone):
            page.draft.rewrite(release, f"{'await ' * taking.asynchronous}{name}.release()")
            gone.append((page.program.start(release), page.program.end(release)))
    answer.write(page, taking, name, gone)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer, and the variable it is kept in, if any."""

    value: ast.expr
    """The call, with `bool()` around it."""
    variable: str | None
    names: tuple[ast.Name, ...] = ()
    """Reads of the variable."""
    empties: tuple[ast.Constant, ...] = ()
    """`False` that the variable holds before."""

    @classmethod
    def of(cls, page: Page, taking: Taking) -> "_Answer":
        program, value = page.program, taking.whole
        above = program.parent(value)
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id == "bool":
            value, above = above, program.parent(above)
        match above:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)):
                return cls._kept(page, value, name, taking.truth or value is not taking.whole)
            case ast.Compare() if compares(above, value) is not None:
                return cls(value, None)
            case ast.Return():
                raise Refused("the answer is returned: taken here, the lock is given back elsewhere")
            case ast.Expr():
                raise Refused("nobody looks whether the lock was taken")
        if not in_test(program, value):
            raise Refused("the answer is used otherwise than as a test")
        return cls(value, None)

    @classmethod
    def _kept(cls, page: Page, value: ast.expr, name: str, truth: bool) -> "_Answer":
        program, scope = page.program, page.scope(value)
        assert isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module | ast.Lambda)
        empties = []
        for bound in bindings(scope, name):
            above = program.parent(bound)
            if isinstance(above, ast.Assign | ast.NamedExpr) and above.value is value:
                continue
            other = above.value if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
            if not isinstance(other, ast.Constant) or other.value not in _NOTHING:
                raise Refused(f"{name} is given other values too")
            empties.append(other)
        if seen_within(scope, name) or isinstance(scope, ast.Module):
            raise Refused(f"{name} is seen by others than this function")
        names = tuple(reads(scope, name))
        for read in names:
            above = program.parent(read)
            exact = truth and isinstance(above, ast.Return | ast.Yield | ast.Call | ast.keyword | ast.Assign)
            if compares(above, read) is None and not in_test(program, read) and not exact:
                raise Refused(f"{name} is used otherwise than as a test (line {read.lineno})")
        return cls(value, name, names, tuple(empties))

    def says(self, test: ast.expr) -> bool:
        return test is self.value or any(test is name for name in self.names)

    def write(self, page: Page, taking: Taking, name: str, gone: Sequence[tuple[int, int]]) -> None:
        draft, program = page.draft, page.program
        if self.variable is None:
            self._into_test(page, taking, name)
            return
        draft.rewrite(self.value, taking.text)
        for empty in self.empties:
            draft.rewrite(empty, "None")
        scope = page.scope(self.value)
        stored = [node for node in ast.walk(scope) if isinstance(node, ast.Name) and node.id == self.variable]
        for each in stored:
            above = program.parent(each)
            if any(_inside(page, each, part) for part in gone):
                continue
            if isinstance(above, ast.Compare):
                draft.rewrite(above, f"{name} is {'not ' * bool(polarity(above, self.says))}None")
            elif isinstance(each.ctx, ast.Load) and not in_test(program, each):
                draft.rewrite(each, f"{name} is not None")
            elif each.id != name:
                draft.rewrite(each, name)

    def _into_test(self, page: Page, taking: Taking, name: str) -> None:
        program, draft = page.program, page.draft
        above = program.parent(self.value)
        asked: ast.expr = above if isinstance(above, ast.Compare) else self.value
        statement = program.statement(self.value)
        negated = isinstance(asked, ast.Compare) and polarity(asked, self.says) is False
        whole = program.parent(asked)
        if isinstance(whole, ast.UnaryOp) and asked is self.value:
            asked, negated = whole, True
        plain = isinstance(statement, ast.If) and statement.test is asked and _own_line(page, statement)
        if plain and negated:
            line = program.lines.starts[statement.lineno - 1]
            draft.insert(
                line, f"{program.indent(statement)}{name} = {taking.text}{program.ending(statement)}"
            )
            draft.rewrite(asked, f"{name} is None")
        elif isinstance(asked, ast.Compare):
            draft.rewrite(asked, f"({name} := {taking.text}) is {'not ' * (not negated)}None")
        elif isinstance(statement, ast.If | ast.While) and statement.test is asked and not negated:
            draft.rewrite(asked, f"{name} := {taking.text}")
        else:
            draft.rewrite(self.value, f"({name} := {taking.text})")


def _own_line(page: Page, statement: ast.stmt) -> bool:
    """An `if` that begins its line, and no `elif`."""
    program = page.program
    start = program.start(statement)
    return (
        program.text.startswith("if", start)
        and not program.text[program.lines.starts[statement.lineno - 1] : start].strip()
    )


def _as_with(
    page: Page, taking: Taking, answer: _Answer, release: ast.stmt, name: str
) -> tuple[int, int] | None:
    """`try: … finally: release` becomes `with lease: …`; the stretch that goes, or None where it must stay."""
    program = page.program
    last: ast.stmt = release
    above = program.parent(release)
    if (
        isinstance(above, ast.If)
        and above.body == [release]
        and not above.orelse
        and polarity(above.test, answer.says)
    ):
        last, above = above, program.parent(above)
    if not isinstance(above, ast.Try) or above.finalbody != [last] or above.handlers or above.orelse:
        return None
    if not held_at(program, above, answer.says):
        return None
    return finally_to_with(page, above, f"{'async ' * taking.asynchronous}with {name}")


def finally_to_with(page: Page, block: ast.Try, head: str) -> tuple[int, int] | None:
    """Write `head` over `try`, and take `finally` out; None where a comment stands in it."""
    program = page.program
    tokens = program.tokens_between(program.end(block.body[-1]), program.start(block.finalbody[0]))
    keyword = next(token for token in tokens if token.text == "finally")
    number, _ = program.place(keyword.start)
    start = program.lines.starts[number - 1]
    end_line = block.finalbody[-1].end_lineno or block.lineno
    end = program.lines.starts[end_line] if end_line < len(program.lines) else len(program.text)
    if (
        any(start <= comment.start < end for comment in program.comments)
        or program.text[start : keyword.start].strip()
    ):
        return None
    page.draft.replace(program.start(block), program.start(block) + len("try"), head)
    page.draft.replace(start, end, "")
    return start, end


def _inside(page: Page, node: ast.expr | ast.stmt, part: tuple[int, int]) -> bool:
    return part[0] <= page.program.start(node) and page.program.end(node) <= part[1]
