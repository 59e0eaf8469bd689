"""Walking fact expressions: their parts, their text, their names."""

from collections.abc import Callable, Iterator
from typing import Any

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Comp,
    Compare,
    Cond,
    Const,
    Dict,
    Expr,
    Joined,
    Lambda,
    Name,
    Other,
    Seq,
    Star,
    Sub,
    Unary,
    Walrus,
    Yield,
)


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, in the order of evaluation."""
    split = _PARTS.get(type(expr))
    return () if split is None else split(expr)


_PARTS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Attr: lambda expr: (expr.value,),
    Star: lambda expr: (expr.value,),
    Await: lambda expr: (expr.value,),
    Unary: lambda expr: (expr.value,),
    Walrus: lambda expr: (expr.value,),
    Call: lambda expr: (expr.func, *[arg.value for arg in expr.args]),
    Sub: lambda expr: (expr.value, expr.index),
    Joined: lambda expr: expr.parts,
    Other: lambda expr: expr.parts,
    Bin: lambda expr: (expr.left, expr.right),
    Bool: lambda expr: (expr.left, expr.right),
    Cond: lambda expr: (expr.test, expr.body, expr.orelse),
    Compare: lambda expr: (expr.left, *expr.rights),
    Seq: lambda expr: expr.items,
    Dict: lambda expr: tuple(part for pair in expr.items for part in pair if part is not None),
    Comp: lambda expr: (*expr.clauses, *expr.elements),
    Yield: lambda expr: () if expr.value is None else (expr.value,),
}
"""By class rather than by pattern: this is asked of every expression of every file."""


def every(expr: Expr) -> Iterator[Expr]:
    """The expression and all its parts, outer before inner, left before right."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(parts(node)))


def last_name(expr: Expr) -> str | None:
    """`c` for `a.b.c`, `c` for `c`, and the same through a call or an await."""
    while True:
        match expr:
            case Name(id=name):
                return name
            case Attr(name=name):
                return name
            case Call(func=inner) | Await(value=inner) | Sub(value=inner):
                expr = inner
            case _:
                return None


def dotted(expr: Expr) -> str | None:
    """`a.b.c` where the expression is names and attributes only."""
    names: list[str] = []
    while isinstance(expr, Attr):
        names.append(expr.name)
        expr = expr.value
    if not isinstance(expr, Name):
        return None
    return ".".join([expr.id, *reversed(names)])


def text(expr: Expr, limit: int = 60) -> str:
    """The expression as one would write it, cut at `limit` characters."""
    written = _text(expr, 0)
    return written if len(written) <= limit else written[: limit - 1] + "…"


def _text(expr: Expr, depth: int) -> str:
    if depth > 8:
        return "…"

    def inner(part: Expr) -> str:
        return _text(part, depth + 1)

    match expr:
        case Name(id=name):
            return name
        case Attr(value=Bin() | Bool() | Cond() | Compare() | Unary() | Await() as value, name=name):
            return f"({inner(value)}).{name}"
        case Attr(value=value, name=name):
            return f"{inner(value)}.{name}"
        case Call():
            arguments = []
            for arg in expr.args:
                head = f"{arg.keyword}=" if arg.keyword else "*" * arg.star
                arguments.append(head + inner(arg.value))
            return f"{inner(expr.func)}({', '.join(arguments)})"
        case Sub():
            return f"{inner(expr.value)}[{inner(expr.index)}]"
        case Const(value=value):
            return repr(value)
        case Joined(parts=pieces):
            body = "".join(
                str(piece.value) if isinstance(piece, Const) else "{" + inner(piece) + "}" for piece in pieces
            )
            return f'f"{body}"'
        case Bin(op=op, left=left, right=right) | Bool(op=op, left=left, right=right):
            return f"{inner(left)} {op} {inner(right)}"
        case Unary(op=op, value=value):
            return f"not {inner(value)}" if op == "not" else op + inner(value)
        case Cond():
            return f"{inner(expr.body)} if {inner(expr.test)} else {inner(expr.orelse)}"
        case Compare():
            rest = " ".join(f"{op} {inner(right)}" for op, right in zip(expr.ops, expr.rights, strict=True))
            return f"{inner(expr.left)} {rest}"
        case Await(value=value):
            return f"await {inner(value)}"
        case Seq(kind=kind, items=items):
            body = ", ".join(inner(item) for item in items)
            return {"list": f"[{body}]", "set": f"{{{body}}}"}.get(kind, f"({body})")
        case Dict(items=pairs):
            return "{…}" if pairs else "{}"
        case Walrus(name=name, value=value):
            return f"{name} := {inner(value)}"
        case Lambda():
            return "lambda: …"
    return "…"
