"""The comments that speak to a linter, and the statements they may cover.

Law of this file: a comment is a token, never a piece of a string.
"""

import io
import re
import tokenize

import libcst as cst

from redis_guard.facts.positions import Positions

_SPEAKS = re.compile(r"#[^\n]*(redis-guard|noqa)", re.IGNORECASE)

Comments = tuple[tuple[int, int, str, bool], ...]
Blocks = tuple[tuple[int, int, int], ...]


def comments(text: str) -> Comments:
    """line, column, text, stands alone: of each comment of `text` that says noqa or redis-guard."""
    if not _SPEAKS.search(text):
        return ()
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and _SPEAKS.match(token.string):
                line, column = token.start
                found.append((line, column + 1, token.string, not token.line[:column].strip()))
    except (tokenize.TokenError, SyntaxError):
        pass  # syntax newer than this interpreter: what was read up to there counts
    return tuple(found)


def blocks(module: cst.Module, places: Positions) -> Blocks:
    """First line (decorators included), last line of the head, last line: of every statement, outer ones first."""
    rows: set[tuple[int, int, int]] = set()
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        if (place := places.get(id(node))) is not None:
            first, head, last = place[0], place[2], place[2]
            if isinstance(node, cst.BaseCompoundStatement):
                head = _last_line_of_head(node, places, first)
            for decorator in getattr(node, "decorators", ()):
                first = min(first, _first_line(decorator.decorator, places, first - 1))
            rows.add((first, head, last))
        if isinstance(node, (cst.Module, cst.SimpleStatementLine, cst.IndentedBlock, cst.SimpleStatementSuite)):
            stack.extend(node.body)
        elif isinstance(node, cst.BaseCompoundStatement):
            stack.extend(child for child in node.children if isinstance(child, _HOLDERS))
        elif isinstance(node, _HOLDERS):
            stack.extend(child for child in node.children if isinstance(child, (*_HOLDERS, cst.BaseSuite)))
    return tuple(sorted(rows, key=lambda row: (row[0], -row[2])))


_HOLDERS = (
    cst.BaseSuite, cst.Else, cst.If, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase
)  # fmt: skip


def _first_line(node: cst.BaseExpression, places: Positions, default: int) -> int:
    return places[id(node)][0] if id(node) in places else default


def _last_line_of_head(node: cst.BaseCompoundStatement, places: Positions, first: int) -> int:
    """The line before the first statement of the body, or the first line where both stand on one."""
    body = node.body if not isinstance(node, cst.Match) else None
    if body is None or not body.body:
        return first
    inner = body.body[0]
    if isinstance(inner, cst.SimpleStatementLine):
        inner = inner.body[0]
    place = places.get(id(inner))
    return first if place is None else max(first, place[0] - 1)
