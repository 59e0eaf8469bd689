"""Which node of a cluster keeps which key.

Law of this file: what a node says last is believed; a slot that nobody has is an outage, not a crash.
"""

from bisect import bisect_right
from typing import Any, NamedTuple

from redis.crc import key_slot

Address = tuple[str, int]
Moved = tuple[int, Address]
"""A slot and who keeps it now."""


class SlotRange(NamedTuple):
    """Slots `first` to `last`, both included."""

    first: int
    last: int
    node: Address


class Slots:
    """The map of a cluster; not changed once made, but for slots that were seen to move."""

    __slots__ = ("_firsts", "_moved", "_ranges")

    def __init__(self, ranges: list[SlotRange]) -> None:
        self._ranges = sorted(ranges)
        self._firsts = [each.first for each in self._ranges]
        self._moved: dict[int, Address] = {}

    def node_of(self, key: bytes) -> Address | None:
        """Who keeps `key`."""
        slot = key_slot(key)
        if slot in self._moved:
            return self._moved[slot]
        index = bisect_right(self._firsts, slot) - 1
        if index < 0 or slot > self._ranges[index].last:
            return None
        return self._ranges[index].node

    def nodes(self) -> tuple[Address, ...]:
        """All nodes that keep anything."""
        return tuple(dict.fromkeys([each.node for each in self._ranges] + list(self._moved.values())))

    def moved(self, slot: int, node: Address) -> None:
        """The server said so."""
        self._moved[slot] = node


def slots_of(reply: Any, asked: Address) -> Slots:
    """The map in a reply to CLUSTER SLOTS from the node `asked` (Redis command page: an empty or null address is the
    one that was asked)."""
    ranges = []
    for first, last, (host, port, *_), *_ in reply:
        name = host.decode() if isinstance(host, bytes) else host
        ranges.append(SlotRange(int(first), int(last), (name or asked[0], int(port or asked[1]))))
    return Slots(ranges)
