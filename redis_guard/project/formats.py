"""Text with places to fill: `"user:%s" % name`, `"user:{}".format(name)`.

Law of this file: what fills a place is looked up elsewhere.
"""

import re
from typing import NamedTuple

from redis_guard.facts.model import Attr, Bin, Call, Const, Expr, Joined, Name

_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\d+|\*)?(?:\.\d+)?([srdiouxXeEfFgGc%])")
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


class Slot(NamedTuple):
    """A place to fill, by position or by name."""

    position: int
    """-1 where the name alone counts."""
    name: str
    start: int
    """Where it stands in the text."""


def percent(text: str) -> list[str | Slot]:
    """The parts of a text that `%` fills."""
    parts: list[str | Slot] = []
    position = end = 0
    for match in _PERCENT.finditer(text):
        parts.append(text[end : match.start()])
        end = match.end()
        if match[2] == "%":
            parts.append("%")
        elif match[1]:
            parts.append(Slot(-1, match[1], match.start()))
        else:
            parts.append(Slot(position, "", match.start()))
            position += 1
    return [*parts, text[end:]]


def fields(text: str) -> list[str | Slot]:
    """The parts of a text that `format` fills."""
    parts: list[str | Slot] = []
    counter = end = 0
    for match in _FIELD.finditer(text):
        parts.append(text[end : match.start()])
        end = match.end()
        if match[1] is None:
            parts.append(match[0][0])
            continue
        name = re.split(r"[.!:\[]", match[1], maxsplit=1)[0]
        position = counter if not name else int(name) if name.isdecimal() else -1
        counter += not name
        parts.append(Slot(position, name, match.start()))
    return [*parts, text[end:]]


def is_textual(expr: Expr) -> bool:
    """Whether following a variable to this expression says more of the key than the variable's name."""
    match expr:
        case Const(value=str() | bytes() | int()) | Joined():
            return True
        case Bin(op="+" | "%", left=left, right=right):
            return is_textual(left) or is_textual(right)
        case Call(func=Attr(name="format" | "join" | "encode" | "decode")):
            return True
        case Call(func=Name() | Attr()) | Name() | Attr():
            return True
    return False
