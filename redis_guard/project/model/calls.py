"""The calls that rules judge: on Redis objects, on caches, and those that build clients.

Law of this file: one call is one value, with all that a rule may ask of it.
"""

from dataclasses import dataclass
from typing import Literal

from redis_guard.commands.model import Method
from redis_guard.finding import Confidence, Span
from redis_guard.project.keys import Key
from redis_guard.project.model.places import Function, Place
from redis_guard.project.model.results import Result
from redis_guard.project.model.values import Argument, Lifetime
from redis_guard.project.taken import Context, Guard, Loop


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a Redis object."""

    path: str
    span: Span
    """From where the receiver begins to the end of the call."""
    form: Literal["call", "subscript", "contains", "bound"]
    receiver: str
    kind: str
    """client, pipeline, pubsub, lock, script, sentinel, or a module client (json, ft, ts …)."""
    cluster: bool
    asynchronous: bool
    type: str
    confidence: Confidence
    how: str
    client: str
    """Equal where the receiver is certainly the same object; for pipelines the pipeline, not its client."""
    transaction: bool | None
    """For pipelines: True with MULTI, False without, None where it cannot be told."""
    pipeline: int | None
    """For commands queued on a pipeline: which pipeline of this function (the order of its creation), if it was made
    here; None where it came from elsewhere, and for everything that is not queued."""
    method: str
    command: str | None
    """The server command it sends; for `execute_command` the one its text names; None where it sends none."""
    facts: Method | None
    """Knowledge of the method, or for `execute_command` of the method that sends the same command."""
    arguments: tuple[tuple[str, Argument], ...]
    """By the names of the method's parameters; `*args` as `args.0`, `args.1` …"""
    opaque: bool
    """A star argument hides what is passed."""
    keys: tuple[Key, ...]
    lifetimes: tuple[Lifetime, ...]
    place: Place
    result: Result
    immediate: bool
    """False for a command that is only queued: on a pipeline that is not in immediate mode (after WATCH)."""
    script: str | None
    """For EVAL and registered scripts: the Lua text where it is constant."""
    enclosing_calls: tuple[str, ...] = ()
    """Dotted names of the calls it is an argument of, innermost first: `asyncio.gather`."""
    source: str = ""
    """The client that sends it: `client` itself, or what a pipeline or module client was made from; empty if unseen."""
    optional_pipeline: bool = False
    """On another way the pipeline is a plain client: `pipe = pipeline or self.client`."""
    lent_by: "Call | None" = None
    """For what a helper does: the helper's own call. All else is told from where the helper is called."""
    guards: tuple[Guard, ...] = ()
    """The tests of results that decide in its function whether it happens, the outermost first; of a deletion, all."""
    contexts: tuple[Context, ...] = ()
    """The `with` blocks around it, the outermost first."""
    caught: frozenset[str] = frozenset()
    """Last names of the exception classes that its function catches around it."""
    replies: Literal["bytes", "text", ""] = ""
    """What stored text comes back as, where every construction of the client that is seen agrees."""
    inserted: tuple[str, ...] = ()
    """The expressions by which data gets into the Lua text that it sends, as written."""
    lock_key: Key | None = None
    """For a method of a lock: the key of the lock, if there is no doubt about it; not among `keys`."""
    retries: bool = False
    """A construction of the client that is seen gives it retries of its own."""
    either: bool = False
    """The receiver may be a blocking object, and one of asyncio's."""
    loop: Loop | None = None
    """Of `listen()`: the loop over it."""
    handles: frozenset[str] = frozenset()
    """Last names of the exception classes in whose handler it stands."""
    caught_by_callers: frozenset[str] | None = frozenset()
    """Of a WATCH: last names of the exception classes that are caught around calls of its function, or told to its
    decorators; None where the function is handed to somebody who may catch anything."""
    filled_by: "tuple[Call, ...] | None" = ()
    """Where a pipeline is made and handed to functions of the project: what they queue on it; None where one of them
    may do something else with it."""

    several: tuple[Key, ...] = ()
    """Those of the keys that a comprehension makes, so that each stands for many."""

    def argument(self, name: str) -> Argument | None:
        """The argument given for a parameter; None where none is given (or it is hidden by a star)."""
        return next((argument for given, argument in self.arguments if given == name), None)

    @property
    def key(self) -> Key | None:
        """The first key."""
        return self.keys[0] if self.keys else None

    @property
    def function(self) -> Function:
        return self.place.function


@dataclass(frozen=True, slots=True)
class Construction:
    """A client, pool, sentinel or lock that is built by its class or factory."""

    path: str
    span: Span
    text: str
    """The callee as written."""
    kind: str
    asynchronous: bool
    type: str
    confidence: Confidence
    place: Place
    result: Result
    arguments: tuple[tuple[str, Argument], ...]
    closed: bool
    """It is closed in the same function: by `with`, by close()/aclose()/disconnect(), or handed to a closer."""
    kept: bool
    """It outlives the call: returned, yielded, kept in an attribute, a global, a container, or built at import."""
    urls: tuple[str, ...] = ()
    """The literal URLs that it may be given, `\\0` for each part that is decided at run time."""

    def argument(self, name: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given == name), None)


@dataclass(frozen=True, slots=True)
class CacheCall:
    """A call on Django's cache (or another cache object that is Redis behind an interface).

    Of `set_many` the key and the argument `value` are those of its first entry, or of the comprehension behind it.
    """

    path: str
    span: Span
    receiver: str
    method: str
    key: Key | None
    arguments: tuple[tuple[str, Argument], ...]
    place: Place
    result: Result
    guards: tuple[Guard, ...] = ()
    """Of a deletion: the tests that decide whether it happens, the outermost first."""

    def argument(self, name: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given == name), None)
