"""Nesting that would end the process: libcst parses by recursion in native code, where no exception is raised.

Law of this file: asked before libcst sees a file; a file is refused by what it holds, never by how long it takes.
"""

import ast

_LEVELS = 600
"""libcst holds a thousand levels of brackets; a chain of a thousand calls takes it seconds."""
_FLAT = (ast.BinOp, ast.BoolOp)
"""Their left spines are long in generated code, and cost nothing."""
_LONGEST = 2000
"""Operators in one spine: libcst's time grows with their square, to seconds here."""


class TooDeep(Exception):
    """The file is nested too deeply to be analysed; `line` is where, as far as that is known."""

    def __init__(self, line: int = 1, what: str = "is nested too deeply to be analysed") -> None:
        super().__init__(what)
        self.line = line


def parsed(text: str) -> ast.Module | None:
    """The file as `ast` sees it, None where this interpreter's grammar refuses it. Raises TooDeep."""
    try:
        tree = ast.parse(text)
    except (RecursionError, MemoryError) as error:
        raise TooDeep() from error
    except (SyntaxError, ValueError):
        if _brackets(text) > _LEVELS // 4:
            raise TooDeep() from None
        return None
    _refuse_depth(tree)
    return tree


def _refuse_depth(tree: ast.AST) -> None:
    stack: list[tuple[ast.AST, int, int]] = [(tree, 0, 0)]
    while stack:
        node, level, spine = stack.pop()
        if level > _LEVELS:
            raise TooDeep(getattr(node, "lineno", 1))
        if spine > _LONGEST:
            raise TooDeep(getattr(node, "lineno", 1), f"has an expression of more than {_LONGEST} operators")
        flat = isinstance(node, _FLAT)
        below, along = (level, spine + 1) if flat else (level + 1, 0)
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.expr | ast.stmt):
                stack.append((value, below, along))
            elif value.__class__ is list:
                stack.extend((item, below, along) for item in value if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST):
                stack.append((value, below, along))


def _brackets(text: str) -> int:
    """The deepest nesting of brackets, strings and comments taken for code: an upper bound."""
    level = deepest = 0
    for character in text:
        if character in "([{":
            level += 1
            deepest = max(deepest, level)
        elif character in ")]}":
            level = max(level - 1, 0)
    return deepest
