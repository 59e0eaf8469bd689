"""One file's text with its syntax tree, for the writing of fixes.

Law of this file: the tree says where things stand; what is written comes from the text, character for character.
"""

import ast
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO

from redis_guard.finding import Span
from redis_guard.lines import Lines

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True, slots=True)
class Token:
    """A token between two offsets."""

    kind: int
    start: int
    end: int
    text: str


@dataclass(slots=True, weakref_slot=True)
class Block:
    """The statements of one arm of a compound statement, of a definition, or of the module."""

    owner: ast.AST
    statements: list[ast.stmt]


class Program:
    """A text that parses. Offsets count characters of the text."""

    def __init__(self, text: str, target_server: tuple[int, int] = (6, 2)) -> None:
        """`target_server`: the oldest Redis that fixed code has to run on, as major and minor number.

        Raises SyntaxError, ValueError or RecursionError for what Python does not parse.
        """
        self.text = text
        self.target_server = target_server
        self.lines = Lines.of(text)
        self.tree = ast.parse(text)

    # -- nodes and where they stand ------------------------------------------------------------------------------

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], list[ast.expr | ast.stmt]]:
        found: dict[tuple[int, int], list[ast.expr | ast.stmt]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr | ast.stmt):
                found.setdefault((node.lineno, self._column(node.lineno, node.col_offset)), []).append(node)
        return found

    def _column(self, line: int, offset: int) -> int:
        """The 1-based column in characters of an offset in UTF-8 bytes."""
        text = self.lines.line(line)
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode(errors="replace")) + 1

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> Span:
        """The stretch of a node, parentheses around it left out."""
        end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end_offset),
        )

    def start(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> int:
        return self.lines.offset(node.lineno, self._column(node.lineno, node.col_offset))

    def end(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> int:
        line, offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.lines.offset(line, self._column(line, offset))

    def source(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> str:
        """A node as written."""
        return self.text[self.start(node) : self.end(node)]

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset."""
        line = bisect_right(self.lines.starts, offset)
        if not line or (offset == len(self.text) and self.text.endswith(("\n", "\r"))):
            return len(self.lines) + 1, 1
        return line, offset - self.lines.starts[line - 1] + 1

    def between(self, start: int, end: int) -> Span:
        """The span of two offsets."""
        return Span(*self.place(start), *self.place(end))

    def nodes(self, span: Span) -> list[ast.expr | ast.stmt]:
        """What stands exactly there, the outermost first."""
        return [node for node in self._by_place.get((span.line, span.column), []) if self.span(node) == span]

    def call(self, span: Span) -> ast.Call | None:
        """The call that stands exactly there."""
        return next((node for node in self.nodes(span) if isinstance(node, ast.Call)), None)

    def expression(self, span: Span) -> ast.expr | None:
        """The expression that stands exactly there."""
        return next((node for node in self.nodes(span) if isinstance(node, ast.expr)), None)

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """From the nearest outwards."""
        while (above := self._parents.get(node)) is not None:
            yield above
            node = above

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds a node, or that it is."""
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        return node

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function that holds a node; None at module and class level."""
        for above in self.parents(node):
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                return above
            if isinstance(above, ast.ClassDef):
                return None
        return None

    def block(self, statement: ast.stmt) -> Block:
        """The block in which a statement stands."""
        owner = self._parents[statement]
        for name in _BLOCKS:
            statements = getattr(owner, name, None)
            if isinstance(statements, list) and any(each is statement for each in statements):
                return Block(owner, statements)
        raise LookupError("a statement without a block")

    # -- tokens ----------------------------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """All tokens with a text, comments included."""
        found = []
        # tokenize ends lines as Python does, and hands out columns in characters
        for token in tokenize.generate_tokens(StringIO(self.text, newline="").readline):
            if token.string and token.type not in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                start = self.lines.starts[token.start[0] - 1] + token.start[1]
                end = self.lines.starts[token.end[0] - 1] + token.end[1]
                found.append(Token(token.type, start, end, token.string))
        return found

    @cached_property
    def comments(self) -> Sequence[Token]:
        return [token for token in self.tokens if token.kind == tokenize.COMMENT]

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def tokens_between(self, start: int, end: int) -> Sequence[Token]:
        """The tokens that begin in a stretch, line ends and comments left out."""
        skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE)
        first, last = bisect_right(self._starts, start - 1), bisect_right(self._starts, end - 1)
        return [token for token in self.tokens[first:last] if token.kind not in skipped]

    # -- layout ----------------------------------------------------------------------------------------------------

    def indent(self, statement: ast.stmt) -> str:
        """The white space before the line on which a statement begins."""
        line = self.lines.line(statement.lineno)
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    @cached_property
    def indent_unit(self) -> str:
        """What one level more is indented by: as in the first block, else four spaces."""
        for node in ast.walk(self.tree):
            body = getattr(node, "body", None)
            if isinstance(node, ast.stmt) and isinstance(body, list) and body[0].lineno > node.lineno:
                outer, inner = self.indent(node), self.indent(body[0])
                if inner.startswith(outer) and inner != outer:
                    return inner[len(outer) :]
        return "    "

    def ending(self, statement: ast.stmt) -> str:
        """The line ending in use there."""
        return self.lines.ending(statement.lineno)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name in the file, attributes included, so that a new one can be new."""
        attributes = {node.attr for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)}
        return _names(self.tree) | attributes

    def new_name(self, *wished: str) -> str:
        """The first of the names that the file does not know, or one with a number."""
        return _new(self.names, wished)

    def new_variable(self, near: ast.AST, *wished: str) -> str:
        """The first of the names that means nothing in the function around a node, or in the file outside of one."""
        return _new(_names(self.function(near) or self.tree), wished)


def _names(tree: ast.AST) -> frozenset[str]:
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                found.add(name)
    return frozenset(found)


def _new(known: frozenset[str], wished: tuple[str, ...]) -> str:
    for name in wished:
        if name not in known:
            return name
    number = 2
    while f"{wished[0]}_{number}" in known:
        number += 1
    return f"{wished[0]}_{number}"
