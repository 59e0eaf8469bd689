"""How collections grow, as far as a project shows: what puts into them, what trims them, which fields a hash has.

Law of this file: by families of keys over the whole project; what nobody in sight trims may grow.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from redis_guard.behaviour.families import FamilyOfKeys, families
from redis_guard.project.model import Argument, Call, ProjectUses

PUTS = frozenset("SADD LPUSH RPUSH ZADD HSET HMSET HSETNX HINCRBY HINCRBYFLOAT XADD ZINCRBY".split())
_TRIMS = frozenset("LTRIM ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX XTRIM".split())


@dataclass(frozen=True, slots=True)
class Collections:
    """What is known by family."""

    puts: dict[FamilyOfKeys, tuple[Call, ...]]
    trimmed: frozenset[FamilyOfKeys]

    def is_trimmed(self, call: Call) -> bool:
        """Somebody keeps it short."""
        return any(family in self.trimmed for family in families(call))

    def written(self, call: Call) -> tuple[Call, ...]:
        """What puts elements into the same collection."""
        return tuple(put for family in families(call) for put in self.puts.get(family, ()))

    def has_open_fields(self, call: Call) -> bool:
        """A hash is given fields that are decided at run time, one by one, so that nobody knows how many there are."""
        return any(_open(put.argument("key")) for put in self.written(call) if put.command != "HMSET")


def collections_of(project: ProjectUses) -> Collections:
    puts: dict[FamilyOfKeys, list[Call]] = {}
    trimmed: set[FamilyOfKeys] = set()
    for module in project.modules:
        for call in () if module.test else module.calls:
            if call.command in _TRIMS:
                trimmed.update(families(call))
            elif call.command in PUTS:
                _add(puts, families(call), call)
    return Collections({family: tuple(found) for family, found in puts.items()}, frozenset(trimmed))


def _add(puts: dict[FamilyOfKeys, list[Call]], found: Iterable[FamilyOfKeys], call: Call) -> None:
    for family in found:
        puts.setdefault(family, []).append(call)


def _open(field: Argument | None) -> bool:
    return field is not None and field.constants is None
