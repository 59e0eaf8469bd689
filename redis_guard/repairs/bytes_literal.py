"""Text that is compared with bytes becomes bytes."""

import ast
from dataclasses import dataclass
from typing import Literal

from redis_guard.finding import Fix, Span
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program

_SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.JoinedStr)


@dataclass(frozen=True, slots=True)
class BytesLiteral:
    """One side of the comparison at `span` is text."""

    span: Span
    side: Literal["left", "right"]

    def fix(self, program: Program) -> Fix | None:
        nodes = program.nodes(self.span)
        comparison = next((node for node in nodes if isinstance(node, ast.Compare)), None)
        if comparison is None or len(comparison.ops) != 1:
            return None
        text = comparison.left if self.side == "left" else comparison.comparators[0]
        draft = Draft(program)
        parts = text.elts if isinstance(text, ast.Tuple | ast.List | ast.Set) else [text]
        if not all(_as_bytes(draft, part) for part in parts):
            return None
        return draft.fix("Compare with bytes; the client stays one that does not decode", "unsafe")


def _as_bytes(draft: Draft, node: ast.expr) -> bool:
    program = draft.program
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        tokens = program.tokens_between(program.start(node), program.end(node))
        if len(tokens) != 1:
            return False
        start = program.start(node)
        if node.value.isascii() and not _escapes_beyond(tokens[0].text):
            if tokens[0].text[:1] in "uU":
                draft.replace(start, start + 1, "b")
            else:
                draft.insert(start, "b")
        else:
            draft.insert(program.end(node), ".encode()")
        return True
    if isinstance(node, _SIMPLE):
        draft.insert(program.end(node), ".encode()")
        return True
    return False


def _escapes_beyond(literal: str) -> bool:
    r"""It has an escape that means something in text alone: `\N`, `\u`."""
    return any(escape in literal for escape in ("\\N", "\\u", "\\U"))
