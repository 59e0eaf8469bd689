"""Units of time in names: `LOCK_TIMEOUT_MS`, `one_day_seconds`, `expires_at`.

Law of this file: words only. A name with two units that do not belong together says nothing.
"""

import re
from typing import Literal, NamedTuple

from redis_guard.project.model import TimeUnit

MILLISECONDS: dict[TimeUnit, float] = {
    "us": 0.001, "ms": 1.0, "s": 1000.0, "min": 60_000.0, "h": 3_600_000.0, "d": 86_400_000.0,
}  # fmt: skip
"""How long one of each is."""

_WORDS: dict[TimeUnit, str] = {
    "us": "usec usecs micros microsec microsecs microsecond microseconds",
    "ms": "ms msec msecs milli millis millisec millisecs millisecond milliseconds",
    "s": "sec secs seconds",
    "min": "mins minutes",
    "h": "hrs hours",
    "d": "days",
}
"""`min` means the least, and `second` the next after the first."""
_FINE: dict[str, TimeUnit] = {
    word: unit for unit, known in _WORDS.items() if unit in ("us", "ms", "s") for word in known.split()
}
_COARSE: dict[str, TimeUnit] = {
    word: unit for unit, known in _WORDS.items() if unit in ("min", "h", "d") for word in known.split()
}
_INSTANT = frozenset(["timestamp", "timestamps", "epoch", "unix", "unixtime"])
_SPAN = frozenset(
    [
        "ttl",
        "timeout",
        "duration",
        "lifetime",
        "interval",
        "delay",
        "period",
        "expiry",
        "lease",
        "window",
        "age",
        "retention",
    ]
)
_COUNT = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "ten",
        "twelve",
        "fifteen",
        "twenty",
        "thirty",
        "sixty",
        "half",
        "a",
        "an",
        "per",
    ]
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Said(NamedTuple):
    """What a name says of the value it holds."""

    unit: TimeUnit | None
    kind: Literal["span", "instant", "unsaid"]
    coarse: bool
    """The unit is one that lifetimes are rarely held in; a constant of that name may well be in seconds."""


def words(name: str) -> list[str]:
    """`lockTimeoutMs` and `LOCK_TIMEOUT_MS` as lower-case words."""
    return [word.lower() for word in _WORD.findall(name)]


def said(name: str, *, of_function: bool = False) -> Said:
    """What the name of a variable, or of a function of its result, says."""
    found = words(name)
    if of_function and ("to" in found or "as" in found):
        # seconds_to_ms(…) gives the last
        found = found[max(n for n, word in enumerate(found) if word in ("to", "as")) + 1 :]
    fine = {_FINE[word] for word in found if word in _FINE}
    if found and found[-1] == "s" and len(found) > 1 and name.lower().endswith("_s"):
        fine.add("s")
    coarse = {_COARSE[word] for word in found if word in _COARSE}
    numbered = any(word in _COUNT or word.isdigit() for word in found)
    unit: TimeUnit | None = None
    if len(fine) == 1:
        unit = next(iter(fine))
    elif not fine and len(coarse) == 1 and not numbered:
        unit = next(iter(coarse))
    return Said(unit, _kind(found), not fine)


def _kind(found: list[str]) -> Literal["span", "instant", "unsaid"]:
    if _INSTANT & set(found) or found[-1:] == ["at"] or found[-2:-1] == ["at"]:
        return "instant"
    return "span" if _SPAN & set(found) else "unsaid"
