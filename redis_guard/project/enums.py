"""Enumerations of the project and their members.

Law of this file: an enumeration is what extends one; what begins with `_` is no member.
"""

from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.values import ScopeRef

_ENDINGS = ("Enum", "Choices", "enum.Flag")


def is_enum(inf: Asker, ref: ScopeRef) -> bool:
    """Whether the scope is a class that extends an enumeration: `enum.StrEnum`, Django's `TextChoices`."""
    if inf.index.scope(ref).kind != "class":
        return False
    return any(isinstance(base, str) and base.endswith(_ENDINGS) for base in classes.bases(inf, ref))


def members(inf: Asker, ref: ScopeRef) -> list[int]:
    """The definitions of the members, in the order of the source."""
    defs = inf.index.scope(ref).defs
    return [n for n, made in enumerate(defs) if made.kind == "assign" and not made.name.startswith("_")]
