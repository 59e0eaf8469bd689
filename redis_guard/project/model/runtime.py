"""The runtime's own calls, by the use cases that they name.

Law of this file: a name is told where it is written, whoever hands it on.
"""

from dataclasses import dataclass

from redis_guard.finding import Confidence, Span
from redis_guard.project.model.places import Place
from redis_guard.project.model.results import Result


@dataclass(frozen=True, slots=True)
class SaidName:
    """A name of a use case, and the call that says it: the runtime's own, or a helper's that hands it on."""

    text: str
    path: str
    span: Span
    function: str
    """Qualified name of where that call stands."""


@dataclass(frozen=True, slots=True)
class RuntimeCall:
    """A call of the runtime that names a use case: `coordination.lock("order_settlement", order)`."""

    path: str
    span: Span
    receiver: str
    primitive: str | None
    """lock, claim, counter or signal, by the method; None where the method is decided at run time."""
    confidence: Confidence
    how: str
    place: Place
    names: tuple[SaidName, ...]
    """Every name that it is known to be given."""
    dynamic: str
    """What decides the name at run time, as written; empty where nothing does."""
    unseen: bool
    """The name may come from outside the project."""


@dataclass(frozen=True, slots=True)
class RuntimeStep:
    """A call of one of the coroutines of the runtime for asyncio: `coordination.counter("logins", ip).increment()`."""

    path: str
    span: Span
    text: str
    """As written, without the arguments."""
    place: Place
    result: Result
