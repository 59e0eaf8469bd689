"""None among the types of an annotation, and three-valued answers about None.

Law of this file: words of annotations only; an alias is not followed.
"""

from collections.abc import Iterable

from redis_guard.facts.model import Bin, Const, Expr, Seq, Sub
from redis_guard.project.walk import last_name

_AROUND = frozenset({"Annotated", "Final", "ClassVar", "Mapped", "InitVar"})


def optional(annotation: Expr | None) -> bool:
    """Whether an annotation names None among the types."""
    match annotation:
        case Bin(op="|", left=left, right=right):
            return any(_is_none(side) or optional(side) for side in (left, right))
        case Sub(value=value, index=index):
            name = last_name(value)
            members = index.items if isinstance(index, Seq) else (index,)
            if name == "Union":
                return any(_is_none(member) or optional(member) for member in members)
            if name in _AROUND:
                return optional(members[0])
            return name == "Optional"
    return False


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None


def some_way(answers: Iterable[bool | None]) -> bool | None:
    """True where any answer is, False where all are; None where nothing is said."""
    known = list(answers)
    if any(known):
        return True
    return False if known and all(answer is False for answer in known) else None
