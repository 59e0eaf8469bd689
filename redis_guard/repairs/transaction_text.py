"""Writing `with client.pipeline(transaction=True) as pipe:` in the place of a statement.

Law of this file: the first command's statement becomes the block, and goes on below it where it did more than to send.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redis_guard.fixes.draft import Draft
from redis_guard.repairs.written import Written

Kept = Literal["unused", "used", "moved"]


@dataclass(frozen=True, slots=True)
class Queued:
    """One command for the pipeline: a call as written, with arguments more, or another text."""

    call: Written
    more: str = ""
    text: str = ""
    comment: str = ""
    """What was written beside the statement."""

    def queue(self, pipe: str) -> str:
        """`pipe.incr(key)  # the comment`."""
        return f"{pipe}.{self._command()}{self.comment}"

    def _command(self) -> str:
        program, node = self.call.program, self.call.node
        if self.text:
            return self.text
        assert isinstance(node.func, ast.Attribute)
        arguments = program.text[program.end(node.func) : program.end(node)]
        if self.more:
            inside = arguments[:-1].rstrip()
            arguments = f"{inside}{' ' if inside.endswith(',') else ', '}{self.more})"
        return f"{node.func.attr}{arguments}"


def with_comment(call: Written) -> tuple[int, str]:
    """Where a statement ends with the comment beside it, and that comment with the space before it."""
    program, end = call.program, call.program.end(call.statement)
    stop = program.lines.stops[(call.statement.end_lineno or call.statement.lineno) - 1]
    beside = next((comment for comment in program.comments if end <= comment.start < stop), None)
    return (end, "") if beside is None else (beside.end, program.text[end : beside.end])


def remove_with_comment(draft: Draft, call: Written) -> None:
    """Take a statement out of its lines, with the comment beside it."""
    remove_lines(draft, draft.program.start(call.statement), with_comment(call)[0])


def remove_lines(draft: Draft, start: int, end: int) -> None:
    """Take out the whole lines of a stretch that has them to itself."""
    lines = draft.program.lines
    first = draft.program.place(start)[0]
    last = draft.program.place(end)[0]
    stop = lines.starts[last] if last < len(lines) else len(draft.program.text)
    draft.replace(lines.starts[first - 1], stop, "")


def transaction(
    draft: Draft, first: Written, queued: Sequence[Queued], place: int, *, drop_test: bool
) -> Kept | None:
    """Write the block where `first` stands; `place` is its command's number in the answers of the pipeline.

    With `drop_test` the statement is an `if` of which nothing stays but a variable that its test assigns. Says what has
    become of the result; None where it cannot be done.
    """
    program = first.program
    statement = first.statement
    pipe = program.new_variable(first.node, "pipe", "pipeline", "batch")
    lines = [
        f"{'async ' * first.call.asynchronous}with {first.client_text}.pipeline(transaction=True) as {pipe}:"
    ]
    lines += [_deeper(draft, each.queue(pipe)) for each in queued]
    sent = f"await {pipe}.execute()" if first.call.asynchronous else f"{pipe}.execute()"
    answer = f"({sent})[{place}]" if first.call.asynchronous else f"{sent}[{place}]"
    start, end = program.start(statement), program.end(statement)
    if first.alone:
        end, _ = with_comment(first)
        _block(draft, statement, [*lines, sent], start, end)
        return "unused"
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is first.whole:
        target = program.text[start : program.start(first.whole)]
        if "\n" in target or "\r" in target:
            return None
        end, _ = with_comment(first)
        _block(draft, statement, [*lines, f"{target}{answer}"], start, end)
        return "used"
    above = program.parent(first.whole)
    named = (
        above.target.id
        if isinstance(above, ast.NamedExpr)
        else program.new_variable(first.node, "count", "result", "answer")
    )
    whole = above if isinstance(above, ast.NamedExpr) else first.whole
    assert isinstance(whole, ast.expr)
    block = [*lines, f"{named} = {answer}"]
    if drop_test and not isinstance(above, ast.NamedExpr):
        _block(draft, statement, [*lines, sent], start, end)
        return "unused"
    if drop_test:
        _block(draft, statement, block, start, end)
        return "used"
    if not isinstance(statement, ast.If | ast.Return | ast.Expr | ast.Assign):
        return None
    below = f"{program.ending(statement)}{program.indent(statement)}"
    draft.insert(start, _joined(draft, statement, block) + below)
    place_start, place_end = program.start(whole), program.end(whole)
    bracketed = program.text[place_start - 1 : place_start] + program.text[place_end : place_end + 1]
    if (
        isinstance(above, ast.NamedExpr)
        and bracketed == "()"
        and not isinstance(program.parent(whole), ast.Call)
    ):
        place_start, place_end = place_start - 1, place_end + 1
    draft.replace(place_start, place_end, named)
    return "used" if isinstance(above, ast.NamedExpr) else "moved"


def _block(draft: Draft, statement: ast.stmt, lines: Sequence[str], start: int, end: int) -> None:
    draft.replace(start, end, _joined(draft, statement, lines))


def _joined(draft: Draft, statement: ast.stmt, lines: Sequence[str]) -> str:
    program = draft.program
    deeper = f"{program.ending(statement)}{program.indent(statement)}{program.indent_unit}"
    return deeper.join(lines)


def _deeper(draft: Draft, text: str) -> str:
    """The further lines of a call one level deeper too, unless a string goes over them."""
    if "\n" not in text or '"""' in text or "'''" in text:
        return text
    return text.replace("\n", f"\n{draft.program.indent_unit}")
