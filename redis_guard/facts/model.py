"""ModuleFacts: what one file says, as plain data that can be cached, pickled and judged.

Law of this file: stdlib only, immutable values only. Expressions are classes of their own, since a union of
tuples that hold each other is more than a type checker can compare; what only holds them is tuples, which
are made and read faster.

Names carry the definitions that can reach them (`Name.defs`, indexes into `Scope.defs`); a name without
any belongs to an enclosing scope. That makes every question about a value a walk backwards from its use.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Place4: TypeAlias = tuple[int, int, int, int]
"""line, column, end line, end column; 1-based, in characters, end exclusive."""

Literals: TypeAlias = str | bytes | int | float | complex | bool | None


class Node:
    """An expression. Told apart by class and remembered by identity; rebuilt from its fields when unpickled."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # the state methods that dataclasses bring along look every field up by name, each time
        return self.__class__, tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name that is read. `defs` are the definitions of its own scope that may reach it here."""

    id: str
    defs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Attr(Node):
    """`value.name`."""

    value: "Expr"
    name: str


@dataclass(frozen=True, slots=True)
class Arg(Node):
    """One argument of a call; `star` counts its asterisks."""

    value: "Expr"
    keyword: str | None
    star: int


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`func(args)`; `span` begins where the receiver begins."""

    func: "Expr"
    args: tuple[Arg, ...]
    span: Place4


@dataclass(frozen=True, slots=True)
class Sub(Node):
    """`value[index]`."""

    value: "Expr"
    index: "Expr"
    span: Place4


@dataclass(frozen=True, slots=True)
class Const(Node):
    """A literal. Ellipsis is kept as None: nothing asks for it."""

    value: Literals


@dataclass(frozen=True, slots=True)
class Joined(Node):
    """An f-string; literal parts are Const, the others are what stands between the braces."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Bin(Node):
    """`left op right`, op as written."""

    op: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`op value`; op is `not`, `-`, `+` or `~`."""

    op: str
    value: "Expr"


@dataclass(frozen=True, slots=True)
class Bool(Node):
    """`left and right`, `left or right`."""

    op: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Cond(Node):
    """`body if test else orelse`."""

    test: "Expr"
    body: "Expr"
    orelse: "Expr"


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`left op right …`; `ops` as written, as long as `rights`."""

    left: "Expr"
    ops: tuple[str, ...]
    rights: tuple["Expr", ...]
    span: Place4


@dataclass(frozen=True, slots=True)
class Seq(Node):
    """A list, tuple or set display."""

    kind: str
    items: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Star(Node):
    """`*value` in a display."""

    value: "Expr"


@dataclass(frozen=True, slots=True)
class Dict(Node):
    """A dict display; the key of `**value` is None."""

    items: tuple[tuple["Expr | None", "Expr"], ...]


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    """A lambda; its body is the scope with that index."""

    scope: int


ClauseRole = Literal["for", "async for", "if"]


@dataclass(frozen=True, slots=True)
class Comp(Node):
    """A comprehension: what it yields, and the expressions its clauses evaluate, in order, with their roles."""

    kind: str
    elements: tuple["Expr", ...]
    clauses: tuple["Expr", ...]
    roles: tuple[ClauseRole, ...]


@dataclass(frozen=True, slots=True)
class Await(Node):
    """`await value`."""

    value: "Expr"


@dataclass(frozen=True, slots=True)
class Yield(Node):
    """`yield value` or `yield from value`."""

    value: "Expr | None"
    delegates: bool


@dataclass(frozen=True, slots=True)
class Walrus(Node):
    """`name := value`; `definition` indexes `Scope.defs`."""

    name: str
    definition: int
    value: "Expr"


@dataclass(frozen=True, slots=True)
class Other(Node):
    """Anything whose own meaning nobody asks for; its parts are still walked."""

    parts: tuple["Expr", ...]


Expr: TypeAlias = (
    Name
    | Attr
    | Call
    | Sub
    | Const
    | Joined
    | Bin
    | Unary
    | Bool
    | Cond
    | Compare
    | Seq
    | Star
    | Dict
    | Lambda
    | Comp
    | Await
    | Yield
    | Walrus
    | Other
)

DefKind = Literal[
    "assign", "augmented", "declared", "for", "with", "import", "parameter", "function", "class", "except",
    "merged", "deleted", "captured",
]  # fmt: skip


class Def(NamedTuple):
    """One binding of a name.

    `value` is the assigned, iterated or entered expression, evaluated in the scope `scope`; `unpack`
    leads from it to this name (an index a level, -1 when a star makes it unknown). `merged` stands at the
    head of a loop for `sources`, the bindings of before and of the turns that went before. For imports
    `module` is as written, dots included, and `symbol` the imported name (None for `import module`).
    """

    name: str
    kind: DefKind
    value: Expr | None
    scope: int
    line: int
    unpack: tuple[int, ...] = ()
    annotation: Expr | None = None
    asynchronous: bool = False
    sources: tuple[int, ...] = ()
    module: str = ""
    symbol: str | None = None
    target: int = -1
    """For function and class: the index of their scope. For parameter: its position in `Scope.params`."""


class Param(NamedTuple):
    """A parameter: `star` is 1 for `*args`, 2 for `**kwargs`; `keyword_only` after a star."""

    name: str
    annotation: Expr | None
    default: Expr | None
    star: int
    keyword_only: bool


class Step(NamedTuple):
    """One turn on the way from a function's body to a statement: arm `arm` of construct `construct`."""

    construct: int
    arm: int


class Construct(NamedTuple):
    """A compound statement.

    Arms: `if` body 0, else 1; loops body 0, else 1; try body 0, handlers 1…n, else n+1, finally n+2;
    with body 0; match cases 0…n-1. `ends[arm]` tells that the arm never runs through its end.
    """

    kind: Literal["if", "for", "while", "try", "with", "match"]
    ends: tuple[bool, ...]
    roots: tuple[int, ...]
    """Indexes into `Scope.roots`: the test, the iterated, the contexts, the subject."""
    asynchronous: bool
    line: int
    has_finally: bool = False
    catches: tuple[Expr | None, ...] = ()
    """What each handler of a try catches; None for a bare `except`."""


Use = Literal[
    "statement", "assign", "augment", "return", "test", "iterate", "with", "raise", "assert", "delete", "store",
    "subject", "default", "decorator", "base",
]  # fmt: skip


class Root(NamedTuple):
    """One whole expression of a scope in the order of evaluation, with the use made of its value."""

    expr: Expr
    use: Use
    path: tuple[Step, ...]
    line: int
    defs: tuple[int, ...] = ()
    """The definitions that the value goes to, for `assign`, `for` and `with`; -1 for a name of an outer scope."""
    asynchronous: bool = False


class Store(NamedTuple):
    """`target = value` for a target that is an attribute or a subscript; `root` is the root of the value."""

    target: Attr | Sub
    value: Expr
    unpack: tuple[int, ...]
    root: int
    annotation: Expr | None
    augmented: bool


class Scope(NamedTuple):
    """A module, class, function or lambda body."""

    kind: Literal["module", "class", "function", "lambda"]
    name: str
    qualname: str
    parent: int
    span: Place4
    params: tuple[Param, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    bases: tuple[Arg, ...]
    asynchronous: bool
    generator: bool
    defs: tuple[Def, ...]
    roots: tuple[Root, ...]
    stores: tuple[Store, ...]
    constructs: tuple[Construct, ...]


class GivenUrl(NamedTuple):
    """A literal URL with a password, and the name it is given to: of a variable, a keyword or an entry of a table."""

    name: str
    url: str
    span: Place4
    function: str
    """The qualified name of the function or class around it; empty at the top of the file."""


class ModuleFacts(NamedTuple):
    """One file. `scopes[0]` is the module itself; parents come before children."""

    path: str
    scopes: tuple[Scope, ...]
    marked: bool
    """Some comment may speak to a linter (see marks.py)."""
    star_imports: tuple[str, ...]
    error: tuple[int, int, str] | None = None
    """line, column, message: why the file could not be read."""
    given_urls: tuple[GivenUrl, ...] = ()
