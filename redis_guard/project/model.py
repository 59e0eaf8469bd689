"""What rules judge: the calls on Redis objects, with their keys, lifetimes, places and results.

Law of this file: plain values, no inference and no syntax tree. Everything a rule may ask stands here; what
is not known says so (`None`, `constants is None`, `opaque`), and a rule must not read ignorance as guilt.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from redis_guard.commands.model import Method
from redis_guard.finding import Confidence, Span
from redis_guard.project.keys import Key
from redis_guard.project.taken import Comparison, Context, Guard, Handed, Loop, Taken

Constant: TypeAlias = str | bytes | int | float | bool | None

Unit = Literal["s", "ms", "s-at", "ms-at"]

Kind = Literal["none", "bool", "int", "float", "str", "bytes", "timedelta", "datetime", "unknown"]

TimeUnit = Literal["us", "ms", "s", "min", "h", "d"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number measures, as far as names, clocks and arithmetic say."""

    kind: Literal["span", "instant", "unsaid", "monotonic", "part", "mixed", "compounded"]
    """unsaid: a unit, but not whether it counts a span or from 1970. monotonic: an instant of a clock that starts
    anywhere. part: what `timedelta.seconds` leaves over. mixed: a sum of two units. compounded: converted again
    with each turn of a loop."""
    unit: TimeUnit | None
    why: Literal["name", "clock", "call", "written", "arithmetic"]
    """written: the number is written as a product, `24 * 60 * 60`."""
    text: str
    """The name, call or arithmetic that says so."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What is known of one argument's value."""

    text: str
    """As written, shortened."""
    constants: tuple[Constant, ...] | None
    """Every value it can have, where all of them are known; else None."""
    some: tuple[Constant, ...]
    """Values it can certainly have (a default, one branch), known or not what else."""
    may_be_none: bool
    """A way through the code (a default, an Optional annotation, `.get()`, a branch) gives it None."""
    words: frozenset[str]
    """Names that take part in it, and in what it was assigned from; lower case."""
    calls: frozenset[str]
    """Dotted names of foreign functions called on the way: `time.time`, `datetime.timedelta`, `uuid.uuid4`."""
    kind: Kind
    milliseconds: float | None
    """A constant timedelta's length."""
    attribute: str | None
    """`seconds` for `KEEP.seconds`: the attribute or method that the value was taken by last."""
    operators: frozenset[str]
    """Arithmetic operators between the names: `+` tells an instant from a span."""
    key: Key
    """The value as a key template."""
    measure: Measure | None = None
    """The unit of time it is in."""
    takes: tuple[Taken, ...] = ()
    """The calls of its function whose results take part in it."""


@dataclass(frozen=True, slots=True)
class Function:
    """The function (or module body) in which something happens."""

    path: str
    scope: int
    """Identifies the function in its file; 0 is the module body."""
    name: str
    qualname: str
    """Empty for the module body."""
    asynchronous: bool
    generator: bool
    decorators: frozenset[str]
    cls: str | None
    """Qualified name of the class whose method it is (or is nested in)."""
    parameters: tuple[str, ...]
    enclosing: tuple[int, ...]
    """Scopes around it, nearest first."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One step from the function's body to a statement: which compound statement, which arm of it."""

    construct: int
    kind: Literal["if", "for", "while", "try", "with", "match"]
    arm: int
    arms: int
    ends: bool
    """Control never passes the end of this arm (it returns, raises, breaks or continues)."""
    line: int
    has_finally: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the flow of its function something happens. Compare places with `redis_guard.project.flow`."""

    function: Function
    order: int
    """Rises in the order of evaluation."""
    path: tuple[Arm, ...]
    """From the function's body inwards."""
    statement: int
    """Equal for everything in one statement."""


ResultUse = Literal[
    "discarded", "assigned", "returned", "condition", "compared", "argument", "chained", "iterated", "entered",
    "stored", "collected", "operand", "yielded", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class LaterUse:
    """A use of a variable that holds a result."""

    use: ResultUse
    awaited: bool
    callee: str | None
    place_order: int


@dataclass(frozen=True, slots=True)
class Result:
    """What is done with the value of a call."""

    use: ResultUse
    awaited: bool
    """`await` stands directly before the call, or `async with`/`async for` takes it."""
    callee: str | None = None
    """For `argument`: the dotted name of what it is passed to, as far as it is known. For `chained`: the attribute."""
    names: tuple[str, ...] = ()
    """For `assigned` and `entered`: the variables."""
    later: tuple[LaterUse, ...] | None = None
    """For `assigned` to a local variable: its uses; None where some cannot be seen (attributes, globals, closures)."""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Lifetime:
    """An argument that gives a lifetime."""

    parameter: str
    unit: Unit
    argument: Argument
    of_field: bool
    """The lifetime of hash fields, not of the key."""


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


@dataclass(frozen=True, slots=True)
class Making:
    """A call that makes a lock."""

    path: str
    span: Span
    library: Literal["redis-py", "redis_lock", "django"]
    """redis-py's Lock; python-redis-lock's; `cache.lock` of Django's cache, which is one of the two."""
    arguments: tuple[tuple[str, Argument], ...]
    opaque: bool
    """A star argument hides what is passed."""

    def argument(self, *names: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given in names), None)


@dataclass(frozen=True, slots=True)
class LockUse:
    """One method of a lock is called: acquire, release, extend …"""

    method: str
    span: Span
    place: Place
    result: Result
    arguments: tuple[tuple[str, Argument], ...]
    guards: tuple[Guard, ...]

    def argument(self, name: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given == name), None)


@dataclass(frozen=True, slots=True)
class Catch:
    """A handler that an exception can meet on its way out."""

    construct: int
    arm: int
    broad: bool
    """It catches every `Exception`."""
    ends: bool
    """It never runs through its end."""


@dataclass(frozen=True, slots=True)
class Work:
    """Something done while a lock may be held: a call, a `yield`, a `raise`."""

    text: str
    span: Span
    place: Place
    quick: bool
    """It is not expected to fail: a log line, the time of day, the length of a list."""
    seconds: float | None
    """How long it takes (`time.sleep(30)`) or may take (`requests.get(url, timeout=30)`), where a constant says so."""
    sleeps: bool
    """It takes all of these seconds, whatever happens."""
    turns: tuple[tuple[int, int], ...]
    """Loops around it, inside out, that run a known number of times: the construct and the number."""
    catches: tuple[Catch, ...]
    """The handlers around it, inside out."""
    guards: tuple[Guard, ...]
    """The tests that decide whether it is done, the outermost first."""


@dataclass(frozen=True, slots=True)
class Held:
    """A lock object and what one function does with it."""

    path: str
    text: str
    """The lock as written."""
    identity: str
    function: Function
    asynchronous: bool
    confidence: Confidence
    entered: tuple[int, ...]
    """The `with` statements that take it."""
    uses: tuple[LockUse, ...]
    """In the order of evaluation."""
    makings: tuple[Making, ...]
    all_makings: bool
    """It can have been made nowhere else."""
    handed_on: bool
    """The function gives the lock, or one of its methods, to somebody else."""
    work: tuple[Work, ...]
    """Everything else the function does, in the order of evaluation."""


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


@dataclass(frozen=True, slots=True)
class ModuleUses:
    """One file as rules see it."""

    path: str
    test: bool
    """By its place and name a test; see the narrow escape for tests."""
    calls: tuple[Call, ...]
    """By function, in the order of evaluation within each."""
    constructions: tuple[Construction, ...]
    cache_calls: tuple[CacheCall, ...]
    error: tuple[int, int, str] | None = None
    lent: tuple[Call, ...] = ()
    """What helpers do to the keys that the functions of this file hand them; not among `calls`."""
    runtime_calls: tuple[RuntimeCall, ...] = ()
    runtime_steps: tuple[RuntimeStep, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    """In which results take part."""
    handed: tuple[Handed, ...] = ()
    """Results that are given to functions, or back to the caller."""
    texts: frozenset[str] = frozenset()
    """For a file that speaks of the runtime: all texts in it, since one may be a name that is used unseen."""
    held: tuple[Held, ...] = ()
    """The locks that its functions take."""

    def of_function(self, function: Function) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.place.function.scope == function.scope)


@dataclass(frozen=True, slots=True)
class ProjectUses:
    """All files of the project that take part."""

    modules: tuple[ModuleUses, ...]

    def module(self, path: str) -> ModuleUses | None:
        return next((module for module in self.modules if module.path == path), None)
