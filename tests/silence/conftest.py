"""Reads comments and blocks from a source with the standard library, for tests that need no facts."""

import ast
import io
import re
import tokenize
from collections.abc import Callable

import pytest

from redis_guard.finding import Block, Comment, Finding, Severity, Span
from redis_guard.lines import Lines
from redis_guard.silence.inline import FileMarks

CLAUSES = {"elif", "else", "except", "finally", "case"}


def read_marks(text: str) -> FileMarks:
    text = re.sub(r"\r\n?", "\n", text)
    return FileMarks(tuple(_comments(text)), tuple(_blocks(text)))


def _comments(text: str):
    lines = Lines.of(text)
    stretch = 1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            own_line = not lines.line(row)[:column].strip()
            joined_from = stretch if stretch < row else None
            yield Comment(row, column + 1, token.string, own_line, joined_from)
        elif token.type in (tokenize.NL, tokenize.NEWLINE):
            stretch = token.end[0] + 1


def _blocks(text: str):
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
            compound = hasattr(node, "body") or hasattr(node, "cases")
            end = _header_end(tokens, node.lineno, node.col_offset) if compound else node.end_lineno
            yield Block(node.col_offset + 1, first, node.lineno, end, node.end_lineno)
    at_start = True
    for index, token in enumerate(tokens):
        if at_start and token.string in CLAUSES and token.type == tokenize.NAME:
            row, column = token.start
            header_end = _header_end(tokens, row, column)
            if header_end:
                yield Block(column + 1, row, row, header_end, _suite_end(tokens, index, column))
        if token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            at_start = True
        elif token.type != tokenize.COMMENT:
            at_start = False


def _header_end(tokens: list[tokenize.TokenInfo], row: int, column: int) -> int:
    depth = lambdas = 0
    for token in tokens:
        if token.start < (row, column):
            continue
        if token.string in "([{" and token.type == tokenize.OP:
            depth += 1
        elif token.string in ")]}" and token.type == tokenize.OP:
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
    for token in tokens[start + 1 :]:
        if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT):
            continue
        if token.type == tokenize.ENDMARKER or (token.start[1] <= column and token.start[0] > last):
            break
        last = token.end[0]
    return last


NAMES = {
    "RG001": "unparsable-file",
    "RG002": "unused-allow",
    "RG003": "allow-without-reason",
    "RG101": "direct-call",
    "RG102": "direct-client",
    "RG201": "set-then-expire",
    "RG202": "incr-then-expire",
    "RG401": "missing-ttl",
    "RG601": "key-naming",
}


@pytest.fixture
def names() -> dict[str, str]:
    return NAMES


@pytest.fixture
def marks() -> Callable[[str], FileMarks]:
    return read_marks


@pytest.fixture
def find() -> Callable[..., list[Finding]]:
    return find_calls


def find_calls(
    text: str, code: str = "RG101", path: str = "app/limits.py", needle: str = "r."
) -> list[Finding]:
    """A finding on each `r.…(…)` of a source, as a rule would make it."""
    plain = re.sub(r"\r\n?", "\n", text)
    found = []
    for node in ast.walk(ast.parse(plain)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(needle):
            line = plain.split("\n")[node.lineno - 1].encode()
            end_line = plain.split("\n")[node.end_lineno - 1].encode()
            span = Span(
                node.lineno,
                len(line[: node.col_offset].decode()) + 1,
                node.end_lineno,
                len(end_line[: node.end_col_offset].decode()) + 1,
            )
            found.append(Finding(code, NAMES[code], Severity.ERROR, "a direct call", path, span))
    return sorted(found, key=lambda finding: finding.sort_key)
