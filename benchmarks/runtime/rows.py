"""The rows of the runtime's table: what is compared with what, and the target.

Law of this file: targets stand here and nowhere else in these benchmarks.
"""

from dataclasses import dataclass
from typing import Literal

World = Literal["sync", "asyncio"]
Parser = Literal["hiredis", "python"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operations by their names in `sync.py` and `asynchronous.py`. `target` is the highest ratio wanted."""

    name: str
    work: str
    ours: str
    theirs: str
    against: str
    target: float
    gate: float


COMPARISONS = (
    Comparison(
        "lock", "lock, taken and given back", "lock", "bare_lock", "set(nx, px) + EVALSHA", 1.10, 1.15
    ),
    Comparison("fenced", "fenced lock, the same", "fenced", "bare_lock", "set(nx, px) + EVALSHA", 1.10, 1.15),
    Comparison(
        "lock-redis-py", "lock, taken and given back", "lock", "redis_py_lock", "redis-py Lock", 0.95, 1.0
    ),
    Comparison("counter", "counter, one more", "counter", "bare_counter", "EVALSHA", 1.05, 1.10),
    Comparison("claim", "claim", "claim", "bare_claim", "set(nx, ex)", 1.08, 1.12),
)

WORLDS: tuple[World, ...] = ("sync", "asyncio")
PARSERS: tuple[Parser, ...] = ("hiredis", "python")
