"""Commands -> what they decide.

Law of this file: of the commands that make up a lock, a claim, a counter or a signal, only the one counts whose reply
says what came of it: `SET … NX` and `SETNX`, `INCR` and `INCRBY`, `PUBLISH` and `SPUBLISH`; not the EXPIRE after it,
not the DEL, no read, no script. A command that is none of these costs one look into a dict.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from redis_guard.registry.model import Primitive
from redis_guard.runtime.outcomes import Outcome

Kind = Literal["first", "count", "publish"]

PRIMITIVE_OF_KIND: Final[Mapping[Kind, Primitive]] = {
    "first": "claim",
    "count": "counter",
    "publish": "signal",
}
"""What a key that nobody has registered is taken for. Whether a `SET … NX` is a claim or a lock shows only when
somebody gives it back; that the first one has it is true of both."""


class Decision(NamedTuple):
    """One command that decides."""

    kind: Kind
    name: object
    """The key, or the channel, as the code gave it."""
    step: Any = 1
    """What a counter is raised by, as the code gave it."""
    tells_old: bool = False
    """SET NX GET: answers the value that stood in the way, and nothing when it has won."""

    def outcome(self, primitive: Primitive, limit: int | None, reply: Any) -> Outcome:
        """What `reply` means for a use case of `primitive`. An INCR wins a lock or a claim by reaching its own step."""
        if primitive == "signal":
            return "sent"
        if primitive == "counter":
            return "exceeded" if limit is not None and reply > limit else "counted"
        if primitive == "lock":
            return "acquired" if self._won(reply) else "contended"
        return "accepted" if self._won(reply) else "duplicate"

    def _won(self, reply: Any) -> bool:
        if self.kind == "count":
            return bool(reply == int(self.step))
        return reply is None if self.tells_old else bool(reply)


def applies(kind: Kind, primitive: Primitive) -> bool:
    """A counter's `SET … NX` opens its window, and counts nothing."""
    return primitive != "counter" or kind == "count"


Arguments = tuple[Any, ...]


def decide(args: Arguments) -> Decision | None:
    """What the command of these arguments, its name first, decides."""
    try:
        read = READERS.get(args[0])
        return None if read is None else read(args)
    except Exception:
        # Too few arguments, or odd ones: the client will say so, in its own words.
        return None


def _set(args: Arguments) -> Decision | None:
    if len(args) < 4 or NX.isdisjoint(args[3:]):
        return None
    return Decision("first", args[1], tells_old=not GET.isdisjoint(args[3:]))


def _setnx(args: Arguments) -> Decision:
    return Decision("first", args[1])


def _incr(args: Arguments) -> Decision:
    return Decision("count", args[1])


def _incrby(args: Arguments) -> Decision:
    return Decision("count", args[1], args[2])


def _publish(args: Arguments) -> Decision:
    return Decision("publish", args[1])


def _spellings(word: str) -> tuple[str | bytes, ...]:
    """As redis-py writes it, and as people who call `execute_command` do."""
    return (word, word.lower(), word.encode(), word.lower().encode())


NX: Final = frozenset(_spellings("NX"))
GET: Final = frozenset(_spellings("GET"))

READERS: Final[Mapping[object, Callable[[Arguments], Decision | None]]] = {
    spelling: read
    for word, read in {
        "SET": _set,
        "SETNX": _setnx,
        "INCR": _incr,
        "INCRBY": _incrby,
        "PUBLISH": _publish,
        "SPUBLISH": _publish,
    }.items()
    for spelling in _spellings(word)
}
