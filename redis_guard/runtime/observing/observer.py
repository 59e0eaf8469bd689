"""What an observed client has seen -> what the sinks are told.

Law of this file: nothing here raises, and nothing here changes a reply: the first failure of its own is logged.
"""

import logging
from functools import lru_cache
from typing import Any, Final, NamedTuple

from redis_guard.registry.helper_keys import plain_key
from redis_guard.registry.model import Primitive, Registry, UseCase, is_signal
from redis_guard.runtime.faults import MISTAKES, classify
from redis_guard.runtime.observing.deciding import PRIMITIVE_OF_KIND, Decision, Kind, applies
from redis_guard.runtime.observing.index import Index
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.guarded import guarded
from redis_guard.runtime.telemetry.protocol import UNREGISTERED, Labels, Recorder, Telemetry

LOGGER = logging.getLogger("redis_guard.observing")

REMEMBERED: Final = 4096
"""Keys whose use cases are remembered."""
LONGEST_REMEMBERED: Final = 256
"""In characters; a longer key is looked for each time, so that what is remembered stays small."""


class Whose(NamedTuple):
    """Whom a key belongs to, and who is told."""

    recorder: Recorder
    primitive: Primitive
    limit: int | None
    identifiers: tuple[str, ...]


class Observer:
    """Tells `telemetry` about the use cases that `registry` has in one Redis `instance`; threads may share it."""

    __slots__ = ("_channels", "_keys", "_recorders", "_remembered", "_told", "_unregistered", "subject")

    def __init__(self, registry: Registry, telemetry: Telemetry, instance: str) -> None:
        self.subject = (registry, telemetry, instance)
        """What it was made of."""
        here = [entry for entry in registry.entries if entry.instance == instance]
        self._keys = Index(entry for entry in here if not is_signal(entry))
        self._channels = Index(entry for entry in here if is_signal(entry))
        sink = guarded(telemetry)
        self._recorders = {
            case.name: sink.bind(Labels(case.primitive, case.name, case.owner))
            for case in here
            if isinstance(case, UseCase)
        }
        self._unregistered = {
            primitive: sink.bind(Labels(primitive, UNREGISTERED, ""))
            for primitive in PRIMITIVE_OF_KIND.values()
        }
        self._remembered = lru_cache(REMEMBERED)(self._whose)
        self._told = False

    def answered(self, decision: Decision, reply: Any, seconds: float) -> None:
        """The command has been answered, with an error perhaps."""
        try:
            self._tell(decision, reply, seconds)
        except Exception:
            if not self._told:
                self._told = True
                LOGGER.exception("a command was not counted; this is told once, and the client works on")

    def _tell(self, decision: Decision, reply: Any, seconds: float) -> None:
        name = _text(decision.name)
        find = self._remembered if len(name) <= LONGEST_REMEMBERED else self._whose
        whose = find(decision.kind, name)
        if whose is None:
            return
        recorder, primitive, limit, identifiers = whose
        if isinstance(reply, Exception):
            error_class = classify(reply)
            outcome: Outcome = "error" if error_class in MISTAKES else "unavailable"
            recorder.operation(outcome, error_class, seconds, identifiers)
        else:
            recorder.operation(decision.outcome(primitive, limit, reply), None, seconds, identifiers)

    def _whose(self, kind: Kind, name: str) -> Whose | None:
        """None for what is no coordination: raw keys, and what the runtime keeps beside its own."""
        match = (self._channels if kind == "publish" else self._keys).find(name)
        if match is None:
            plain = plain_key(name.encode(errors="backslashreplace")).decode()
            if plain != name and self._keys.find(plain):
                return None
            primitive = PRIMITIVE_OF_KIND[kind]
            # The key itself, for sinks that may show it: it says what to register.
            return Whose(self._unregistered[primitive], primitive, None, (name,))
        case = match.entry
        if not isinstance(case, UseCase) or not applies(kind, case.primitive):
            return None
        return Whose(self._recorders[case.name], case.primitive, case.limit, match.identifiers)


def _text(name: object) -> str:
    """A key as the server has it; what is no UTF-8 in it is escaped."""
    if isinstance(name, str):
        return name
    if isinstance(name, bytes | bytearray | memoryview):
        return bytes(name).decode(errors="backslashreplace")
    return str(name)
