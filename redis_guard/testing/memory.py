"""The scripts of the runtime as Python: what a server would answer, and what it would keep.

Law of this file: exact. A test plays the same calls to a real server and holds the two together; the comments of the
scripts are not repeated here. Nothing is waited for, drawn by lot or read from a clock.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Self

from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import LATE
from redis_guard.runtime.steps import Argument
from redis_guard.testing.keyspace import FOR_EVER, Keyspace

Keys = tuple[bytes, ...]
Args = tuple[bytes, ...]
Reply = list[int | bytes]
"""Status, two values of the script's own, and the time in microseconds."""


@dataclass(slots=True)
class Memory:
    """A server that knows the runtime's scripts and nothing else. `now_us` is its time, microseconds since 1970."""

    keyspace: Keyspace = field(default_factory=Keyspace)
    published: tuple[tuple[bytes, bytes], ...] = ()
    """Channels and messages, in order; whoever delivers them takes them away."""

    def copy(self) -> Self:
        """Independent of this one."""
        return type(self)(self.keyspace.copy(), self.published)

    def state(self, now_us: int) -> Hashable:
        """Equal for servers that will answer alike, whatever comes."""
        return self.keyspace.state(now_us // 1000), self.published

    def call(self, script: str, keys: Keys, args: tuple[Argument, ...], now_us: int) -> Reply:
        """Run the script of that name (`redis_guard.runtime.scripts`), `args` with "not after" in the first place.

        Raises `Fault` where the server would answer an error.
        """
        words = tuple(word if isinstance(word, bytes) else str(word).encode() for word in args)
        if script in _DECLINES and 0 < int(words[0]) < now_us:
            return [LATE, b"" if script == "claim" else 0, 0, now_us]
        return [*_SCRIPTS[script](self, keys, words[1:], now_us), now_us if script in _DECLINES else 0]

    def publish(self, channel: bytes, message: bytes) -> None:
        self.published += ((channel, message),)


def _acquire(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    token, ttl = args[0], int(args[1])
    fenced = len(keys) > 1
    previous = _fence(space.get(keys[1], now)) if fenced else 0
    if not space.exists(keys[0], now):
        space.set(keys[0], token, now, ttl)
        fence = max(previous + 1, now_us) if fenced else 0
        if fenced:
            space.set(keys[1], b"%d" % fence, now, int(args[2]))
        return [1, fence, ttl]
    left = space.pttl(keys[0], now)
    if space.get(keys[0], now) != token:
        return [0, 0, left]
    if fenced and previous == 0:
        previous = now_us
        space.set(keys[1], b"%d" % previous, now, int(args[2]))
    return [2, previous, left]


def _fence(text: bytes | None) -> int:
    if text is None or (text.isdigit() and int(text) < 2**53):
        return int(text or 0)
    raise Fault("wrongtype", "WRONGTYPE the fence key does not hold a fence")


def _release(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    if not space.exists(keys[0], now):
        return [-1, 0, 0]
    if not space.holds(keys[0], args[0], now):
        return [0, 0, 0]
    space.delete(keys[0], now)
    if args[1]:
        memory.publish(args[1], b"")
    return [1, 0, 0]


def _renew(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    mine = space.holds(keys[0], args[0], now)
    return [space.pexpire(keys[0], int(args[1]), now) if mine else 0, 0, 0]


def _adopt(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    left = space.pttl(keys[0], now)
    if space.holds(keys[0], args[1], now):
        return [2, 0, left]
    if space.holds(keys[0], args[0], now) and left > 0:
        space.set(keys[0], args[1], now, left)
        return [1, 0, left]
    return [0, 0, left]


def _claim(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    claimant, ttl = args[0], int(args[1])
    if not space.exists(keys[0], now):
        space.set(keys[0], claimant, now, ttl if ttl > 0 else None)
        return [1, b"", ttl if ttl > 0 else FOR_EVER]
    left = space.pttl(keys[0], now)
    holder = space.get(keys[0], now) or b""
    return [2, b"", left] if holder == claimant else [0, holder, left]


def _count(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    step, window = int(args[0]), int(args[1])
    value = space.incrby(keys[0], step, now)
    told = value if value < 2**53 else str(value).encode()
    if window == 0:
        return [1, told, FOR_EVER]
    left = space.pttl(keys[0], now)
    if left >= 0:
        return [1, told, left]
    space.pexpire(keys[0], window, now)
    return [1 if value == step else 2, told, window]


def _read_count(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    space, now = memory.keyspace, now_us // 1000
    value = space.get(keys[0], now)
    return [1, b"0" if value is None else value, space.pttl(keys[0], now)]


def _reset_count(memory: Memory, keys: Keys, args: Args, now_us: int) -> Reply:
    # A key of another type is somebody else's.
    memory.keyspace.get(keys[0], now_us // 1000)
    return [memory.keyspace.delete(keys[0], now_us // 1000), 0, 0]


_SCRIPTS: Final[Mapping[str, Callable[[Memory, Keys, Args, int], Reply]]] = MappingProxyType(
    {
        "acquire": _acquire,
        "release": _release,
        "renew": _renew,
        "adopt": _adopt,
        "claim": _claim,
        "count": _count,
        "read_count": _read_count,
        "reset_count": _reset_count,
    }
)
_DECLINES: Final = _SCRIPTS.keys() - {"release", "read_count"}
"""The scripts that do nothing once "not after" has passed, and tell the time."""
