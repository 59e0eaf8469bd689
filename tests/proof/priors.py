"""What lay on the server before: for each key that a program speaks of, nothing, the right thing, or another.

Law of this file: the keys are those that the program itself was seen to use.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from tests.proof.bench import Bench
from tests.proof.keyspace import Initial, Place
from tests.proof.observe import Observation, Prior

LEFT_MS = 5_000
"""Less than what programs give, so that it is seen whether they give it anew."""
_PREFIXES = (
    ("list", ("LPUSH", "RPUSH", "LPOP", "RPOP", "LRANGE", "LTRIM", "LSET", "LREM", "LLEN", "BLPOP", "BRPOP")),
    ("set", ("SADD", "SREM", "SMEMBERS", "SPOP", "SCARD", "SSCAN", "SISMEMBER", "SUNION", "SINTER", "SDIFF")),
    ("zset", ("Z",)),
    ("hash", ("H",)),
    ("stream", ("X",)),
)


class Lot(Enum):
    """What a key meets."""

    ABSENT = "absent"
    LASTING = "there, with a lifetime"
    ETERNAL = "there, without one"
    CLASHING = "of another type, with a lifetime"
    CLASHING_ETERNAL = "of another type, without a lifetime"


def places(bench: Bench, seen: Observation) -> dict[Place, str]:
    """The keys that the program used and the type that it takes each for."""
    found: dict[Place, str] = {}
    for database, command in zip(seen.databases, seen.commands, strict=True):
        name = command[0].decode().upper()
        for key in bench.keys_of(command):
            kind = _kind(name)
            if kind is not None or (database, key) not in found:
                found[(database, key)] = kind or "string"
    found |= {place: entry.type for place, entry in seen.after.items()}
    return found


def _kind(command: str) -> str | None:
    """None for a command that fits all types."""
    if command in (
        "EXPIRE",
        "PEXPIRE",
        "DEL",
        "UNLINK",
        "EXISTS",
        "TTL",
        "PTTL",
        "TYPE",
        "EXPIREAT",
        "PEXPIREAT",
    ):
        return None
    return next((kind for kind, prefixes in _PREFIXES if command.startswith(prefixes)), "string")


FITTING = (Lot.ABSENT, Lot.LASTING, Lot.ETERNAL)
"""Where the program finds what it looks for."""


def priors(
    used: Mapping[Place, str], inputs: Mapping[str, Any], lots: Iterable[Lot] = Lot
) -> Iterator[st.SearchStrategy[Prior]]:
    """One strategy for each of `lots` that all keys share, then one where each key has its own."""
    lots = tuple(lots)
    for lot in lots:
        yield st.fixed_dictionaries({place: _initial(kind, lot, inputs) for place, kind in used.items()}).map(
            _there
        )
    if len(used) > 1:
        yield st.fixed_dictionaries(
            {
                place: st.sampled_from(lots).flatmap(lambda lot, kind=kind: _initial(kind, lot, inputs))
                for place, kind in used.items()
            }
        ).map(_there)


def _there(lots: Mapping[Place, Initial | None]) -> Prior:
    return {place: initial for place, initial in lots.items() if initial is not None}


def _initial(kind: str, lot: Lot, inputs: Mapping[str, Any]) -> st.SearchStrategy[Initial | None]:
    if lot is Lot.ABSENT:
        return st.none()
    left = LEFT_MS if lot in (Lot.LASTING, Lot.CLASHING) else None
    if lot in (Lot.CLASHING, Lot.CLASHING_ETERNAL):
        kind = "set" if kind == "list" else "list"
    return _values(kind, inputs).map(lambda value: Initial(kind, value, left))


def _values(kind: str, inputs: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Often what the program itself was given, which it may find there again."""
    given = [value for value in inputs.values() if isinstance(value, (str, bytes)) and value != ""]
    member = st.sampled_from(["a", *given])
    match kind:
        case "string":
            return st.sampled_from(["7", "0", "x", *given])
        case "zset":
            return st.lists(st.tuples(member, st.integers(0, 9)), min_size=1, max_size=2)
        case "hash":
            return st.lists(st.tuples(member, st.sampled_from(["1", "x"])), min_size=1, max_size=2)
        case "stream":
            return st.just([(("field", "value"),)])
        case _:
            return st.lists(member, min_size=1, max_size=3)
