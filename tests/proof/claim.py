"""What a fix is claimed to be: how far it keeps the meaning, and under what assumption.

Law of this file: a safe fix assumes nothing; every difference that is let pass has a name here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tests.proof.compare import ASPECTS, Aspect
from tests.proof.keyspace import Initial
from tests.proof.observe import Observation, Prior

Safety = Literal["safe", "unsafe"]
Waiver = Literal["refused-write"]
"""`refused-write`: MULTI does not roll back, so where the server refuses the write (the key is of another type, the
counter no number), in the original and in the fixed program, the EXPIRE after it may be done in the fixed one only."""


class Misclaimed(ValueError):
    """A claim contradicts itself."""


@dataclass(frozen=True, slots=True)
class Claim:
    entry: str
    safety: Safety
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Parameter -> expression in the names of `hypothesis.strategies`, where the usual values do not fit."""
    prior: Mapping[str, str] = field(default_factory=dict)
    """Key, as the inside of an f-string -> expression that gives what lies there; else every lot is tried."""
    assumes: str = ""
    """A condition in the inputs and the prior state, outside of which an unsafe fix may change the meaning."""
    waives: frozenset[Waiver] = frozenset()
    differs: frozenset[Aspect] = frozenset()
    """What the fault itself spoils; `gives` then says what is right instead."""
    gives: str = ""
    """A condition that the fixed program meets every time and the faulty one does not."""
    unordered: bool = False
    lasting: bool = False
    """No crash leaves a key without a lifetime."""
    harmful: bool = False
    """Some crash of the original does harm."""
    atomic: bool = True
    """After a crash each key is as it was, or as it would have become."""

    def __post_init__(self) -> None:
        if self.safety not in get_args(Safety):
            raise Misclaimed(f"safety is {self.safety!r}; it is safe or unsafe")
        if self.safety == "safe" and self.assumes:
            raise Misclaimed("a safe fix assumes nothing; call it unsafe, or drop `assumes`")
        if bool(self.differs) != bool(self.gives):
            raise Misclaimed("`differs` and `gives` belong together: what changes, and what it changes to")
        if not self.differs <= ASPECTS:
            raise Misclaimed(f"`differs` knows {', '.join(sorted(ASPECTS))}")
        if not self.waives <= set(get_args(Waiver)):
            raise Misclaimed(f"`waives` knows {', '.join(get_args(Waiver))}")

    def compared(self, original: Observation, fixed: Observation) -> frozenset[Aspect]:
        """The aspects in which the two are to be alike."""
        refused = original.outcome.refused and original.outcome == fixed.outcome
        waived: frozenset[Aspect] = (
            frozenset(("lifetime",)) if refused and "refused-write" in self.waives else frozenset()
        )
        return ASPECTS - self.differs - waived


def before(prior: Prior) -> dict[str, Any]:
    """The words of `assumes` for what lay on the server; keys are text."""
    found = {key.decode(): initial for (_, key), initial in prior.items()}
    return {
        "absent": lambda key: key not in found,
        "lasting": lambda key: key in found and found[key].milliseconds is not None,
        "eternal": lambda key: key in found and found[key].milliseconds is None,
        "kind": lambda key: found[key].type if key in found else None,
        "held": lambda key: found[key].value if key in found else None,
    }


def afterwards(observation: Observation) -> dict[str, Any]:
    """The words of `gives`: `left` is in seconds at the end, 0 for an absent key, infinite for an eternal one."""
    found = {key.decode(): entry for (_, key), entry in observation.after.items()}

    def left(key: str) -> float:
        if key not in found:
            return 0.0
        given = observation.lifetime(found[key])
        return float("inf") if given is None else given[0] / 1000

    return {
        "left": left,
        "there": lambda key: key in found,
        "stored": lambda key: found[key].value if key in found else None,
        "how": observation.outcome.how,
        "result": observation.outcome.what[1] if observation.outcome.what else None,
        "commands": [command[0].decode() for command in observation.commands],
    }


ENTRIES = {
    "string": lambda value, seconds=None: Initial("string", value, _ms(seconds)),
    "list_of": lambda *values, seconds=None: Initial("list", values, _ms(seconds)),
    "set_of": lambda *values, seconds=None: Initial("set", values, _ms(seconds)),
    "zset_of": lambda *pairs, seconds=None: Initial("zset", pairs, _ms(seconds)),
    "hash_of": lambda *pairs, seconds=None: Initial("hash", pairs, _ms(seconds)),
    "nothing": None,
}
"""The words of `prior`."""


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else int(seconds * 1000)
