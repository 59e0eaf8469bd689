"""Which calls speak of the same family of keys.

Law of this file: keys with text of their own belong together across the project; a key that is little more
than a parameter means something only inside its class or module.
"""

from dataclasses import dataclass

from redis_guard.project.keys import Key
from redis_guard.project.model import Call

LEAST_TEXT = 3


@dataclass(frozen=True, slots=True)
class FamilyOfKeys:
    """Equal for calls that belong together."""

    space: str
    """`key`, `channel`, or what keyless calls have in common."""
    shape: str
    where: str
    """Empty where the shape says enough; else the class or the file."""


def families(call: Call) -> tuple[FamilyOfKeys, ...]:
    """The families a call speaks of, that of its first key first; empty where it names no key."""
    return tuple(dict.fromkeys(_family(call, key, "key") for key in call.keys)) or tuple(
        _family(call, key, "channel") for key in channels(call)
    )


def channels(call: Call) -> tuple[Key, ...]:
    """The channels of PUBLISH and SUBSCRIBE."""
    if call.facts is None or call.facts.family not in ("publish", "subscribe"):
        return ()
    return tuple(
        argument.key
        for name, argument in call.arguments
        if name in ("channel", "shard_channel") or name.startswith("args.")
    )


def speaks(key: Key) -> bool:
    """Whether the key has text enough to be known by it."""
    return len(key.literal.strip(":/._- ")) >= LEAST_TEXT


def _family(call: Call, key: Key, space: str) -> FamilyOfKeys:
    if speaks(key):
        return FamilyOfKeys(space, key.shape, "")
    return FamilyOfKeys(space, key.template, f"{call.path}:{call.function.cls or ''}")
