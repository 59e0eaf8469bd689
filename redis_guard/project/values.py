"""What an expression may be: the abstract objects that inference moves around.

Law of this file: values are small and compare by what they are. A union is a tuple of values with
different objects; the surest way to an object is kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Grade = Literal[0, 1, 2]
"""2 certain, 1 likely, 0 guessed."""
CERTAIN: Grade = 2
LIKELY: Grade = 1
GUESSED: Grade = 0

WIDTH = 12
"""More alternatives than this are noise; the rest is dropped."""


NESTING = 4
"""Containers within containers beyond this many are empty to us."""


class ScopeRef(NamedTuple):
    """A scope of a module of the project: `path` of the file, index of the scope."""

    path: str
    scope: int


@dataclass(frozen=True, slots=True)
class RedisObject:
    """A client, pipeline, pubsub, lock, script, sentinel, pool or module client; or the runtime's coordination."""

    kind: str
    asynchronous: bool
    type: str
    cluster: bool = False
    transaction: bool | None = None
    """For pipelines: True for MULTI, False without, None where it depends on what is passed."""
    cls: ScopeRef | None = None
    """The project's own subclass."""
    options: tuple[tuple[str, str], ...] = ()
    """What the constructor was told and a rule may ask: `script` (the Lua text)."""


@dataclass(frozen=True, slots=True)
class Library:
    """Something of a package outside the project, by its dotted name."""

    name: str


@dataclass(frozen=True, slots=True)
class LibraryInstance:
    """What calling `name` of a foreign package gave."""

    name: str


@dataclass(frozen=True, slots=True)
class ModuleObject:
    """A module of the project."""

    path: str


@dataclass(frozen=True, slots=True)
class ClassObject:
    """A class of the project."""

    ref: ScopeRef


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a class of the project."""

    ref: ScopeRef


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the project, bound to `owner` where it was reached through an object."""

    ref: ScopeRef
    owner: "Instance | ClassObject | RedisObject | None" = None


@dataclass(frozen=True, slots=True)
class Super:
    """`super()` inside the class `ref`; `owner` is the object it stands for."""

    ref: ScopeRef
    owner: "Instance | ClassObject | RedisObject"


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a Redis object, not yet called."""

    owner: RedisObject
    name: str


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A value inside something: to be awaited, iterated, entered, looked up or read from a cell."""

    how: Literal["awaitable", "iterator", "context", "mapping", "cell"]
    values: "Values"
    asynchronous: bool = False
    depth: int = field(init=False, compare=False, repr=False)
    key: int = field(init=False, compare=False, repr=False)
    """The hash, reckoned once: containers of containers are asked for it again and again."""

    def __post_init__(self) -> None:
        depth = nesting(self.values)
        if depth > NESTING:
            object.__setattr__(self, "values", ())
        object.__setattr__(self, "depth", depth + 1)
        object.__setattr__(self, "key", hash((self.how, self.values)))

    def __hash__(self) -> int:
        return self.key


@dataclass(frozen=True, slots=True)
class WrappedMethod:
    """A method of a container, as `values` of a dict."""

    owner: Wrapped
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple whose items are known one by one."""

    items: "tuple[Values, ...]"
    depth: int = field(init=False, compare=False, repr=False)
    key: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        depth = max(map(nesting, self.items), default=0)
        if depth > NESTING:
            object.__setattr__(self, "items", ((),) * len(self.items))
        object.__setattr__(self, "depth", depth + 1)
        object.__setattr__(self, "key", hash(self.items))

    def __hash__(self) -> int:
        return self.key


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial(function, …)`."""

    function: "Values"


@dataclass(frozen=True, slots=True)
class Plain:
    """A value of a built-in type: surely nothing of Redis."""

    type: str
    text: str = ""
    """A constant that may name a module or a class by its dotted path."""


Object: TypeAlias = (
    RedisObject
    | Library
    | LibraryInstance
    | ModuleObject
    | ClassObject
    | Instance
    | Function
    | Super
    | Method
    | Wrapped
    | WrappedMethod
    | Row
    | Partial
    | Plain
)


@dataclass(frozen=True, slots=True)
class Value:
    """One thing an expression may be, how surely, and how that is known."""

    object: Object
    grade: Grade = CERTAIN
    how: str = field(default="", compare=False)

    def weaker(self, grade: Grade) -> "Value":
        return self if grade >= self.grade else Value(self.object, grade, self.how)


_TRACED = (RedisObject, Method, Wrapped, Row)
"""Only the way to a Redis object is ever told."""

Values: TypeAlias = tuple[Value, ...]
NOTHING: Values = ()


def nesting(values: Values) -> int:
    """How many containers deep the values are."""
    return max((v.object.depth for v in values if isinstance(v.object, (Wrapped, Row))), default=0)


def join(*alternatives: Iterable[Value]) -> Values:
    """All of them, the surest of equal objects."""
    filled = [values for values in map(tuple, alternatives) if values]
    if not filled:
        return NOTHING
    if len(filled) == 1 and len(filled[0]) == 1:
        return filled[0]
    best: dict[Object, Value] = {}
    for values in filled:
        for value in values:
            known = best.get(value.object)
            if known is None:
                if len(best) < WIDTH or isinstance(value.object, RedisObject):
                    best[value.object] = value
            elif value.grade > known.grade:
                best[value.object] = value
    return tuple(best.values())


def one(thing: Object, grade: Grade = CERTAIN, how: str = "") -> Values:
    return (Value(thing, grade, how),)


def through(values: Values, step: str, grade: Grade = CERTAIN) -> Values:
    """The same values, reached by one more step; the two steps nearest to the use are kept."""
    found: list[Value] = []
    for v in values:
        if isinstance(v.object, _TRACED):
            how = " from ".join([step, *v.how.split(" from ")[:2]]) if v.how else step
            found.append(Value(v.object, min(v.grade, grade), how))
        else:
            found.append(v.weaker(grade))
    return tuple(found)


def has_redis(values: Values, least: Grade = GUESSED) -> bool:
    """Whether a Redis object of at least that grade is among them."""
    return any(isinstance(value.object, RedisObject) and value.grade >= least for value in values)
