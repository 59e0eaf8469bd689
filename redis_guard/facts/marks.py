"""Comments that speak to a linter, and the statements they may cover.

Law of this file: a comment is a token, never a piece of a string; extents of statements are positions that
`ast` lends, and a file it refuses has comments without extents.
"""

import ast
import io
import re
import tokenize
from collections import deque
from collections.abc import Iterator

from redis_guard.finding import Block, Comment

_CLAUSES = frozenset({"elif", "else", "except", "finally", "case"})
_SPEAKS = re.compile(r"#[^\n]*(?:redis-guard|noqa)", re.IGNORECASE)
_NAMES_US = re.compile(r"#[^\n]*(?:redis-guard|noqa[^\n]*\bRG\d)", re.IGNORECASE)

Marks = tuple[tuple[Comment, ...], tuple[Block, ...]]


def speaks(text: str) -> bool:
    """Whether the text may hold a comment that speaks to a linter."""
    return bool(_SPEAKS.search(text))


def names_us(text: str) -> bool:
    """Whether the text may hold a comment that speaks of redis-guard or its rules: one to judge in any case."""
    return bool(_NAMES_US.search(text))


def read_marks(text: str) -> Marks:
    """All comments of a source, and the extent of every statement and clause."""
    plain = re.sub(r"\r\n?", "\n", text)
    tokens: list[tokenize.TokenInfo] = []
    try:
        tokens.extend(tokenize.generate_tokens(io.StringIO(plain).readline))
    except (tokenize.TokenError, SyntaxError):
        # a file the parser refuses, or syntax newer than this interpreter's
        return (), ()
    return tuple(_comments(tokens, plain)), tuple(_blocks(tokens, plain))


def _comments(tokens: list[tokenize.TokenInfo], text: str) -> Iterator[Comment]:
    lines = text.split("\n")
    stretch = 1
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            own_line = not lines[row - 1][:column].strip()
            yield Comment(row, column + 1, token.string, own_line, stretch if stretch < row else None)
        elif token.type in (tokenize.NL, tokenize.NEWLINE):
            stretch = token.end[0] + 1


def _blocks(tokens: list[tokenize.TokenInfo], text: str) -> Iterator[Block]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    places = {token.start: number for number, token in enumerate(tokens) if token.type == tokenize.NAME}
    for node in _statements(tree):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        last = node.end_lineno or node.lineno
        end = last
        if hasattr(node, "body") or hasattr(node, "cases"):
            end = _header_end(tokens, places.get((node.lineno, node.col_offset), len(tokens))) or node.lineno
        yield Block(node.col_offset + 1, first, node.lineno, end, last)
    yield from _clauses(tokens)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Outer before inner; expressions hold no statements and are not looked into."""
    waiting: deque[ast.AST] = deque([tree])
    while waiting:
        node = waiting.popleft()
        if isinstance(node, ast.stmt):
            yield node
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            waiting.extend(getattr(node, name, ()))


def _clauses(tokens: list[tokenize.TokenInfo]) -> Iterator[Block]:
    at_start = True
    for index, token in enumerate(tokens):
        if at_start and token.type == tokenize.NAME and token.string in _CLAUSES:
            row, column = token.start
            if header_end := _header_end(tokens, index):
                yield Block(column + 1, row, row, header_end, _suite_end(tokens, index, column))
        if token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            at_start = True
        elif token.type != tokenize.COMMENT:
            at_start = False


def _header_end(tokens: list[tokenize.TokenInfo], start: int) -> int:
    """The line of the colon that ends the header begun at token `start`; 0 where it has none."""
    depth = lambdas = 0
    for number in range(start, len(tokens)):
        token = tokens[number]
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif token.string == "lambda":
            lambdas += 1
        elif token.string == ":" and not depth:
            if not lambdas:
                return token.end[0]
            lambdas -= 1
        elif token.type == tokenize.NEWLINE:
            return 0
    return 0


def _suite_end(tokens: list[tokenize.TokenInfo], start: int, column: int) -> int:
    last = tokens[start].end[0]
    layout = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
    for number in range(start + 1, len(tokens)):
        token = tokens[number]
        if token.type in layout:
            continue
        if token.type == tokenize.ENDMARKER or (token.start[1] <= column and token.start[0] > last):
            break
        last = token.end[0]
    return last
