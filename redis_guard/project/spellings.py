"""From the name that a call is given back to the texts it may be: bindings, imports, attributes, small functions.

Law of this file: bindings are followed wherever they lead, arithmetic no further than putting texts together.
"""

from collections.abc import Callable

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Cond,
    Const,
    Def,
    Expr,
    Joined,
    Name,
    Seq,
    Sub,
    Walrus,
)
from redis_guard.project import classes
from redis_guard.project.enums import is_enum, members
from redis_guard.project.inference import Inference
from redis_guard.project.library import PROPERTY_DECORATORS
from redis_guard.project.origins import Origins, leaves, part_of
from redis_guard.project.outside import Outside
from redis_guard.project.spelled import (
    NOTHING,
    UNSEEN,
    Here,
    Spelling,
    Text,
    dynamic,
    is_standard,
    one_after_the_other,
    together,
)
from redis_guard.project.spelled_attributes import Attributes
from redis_guard.project.spelled_calls import Calls
from redis_guard.project.spelled_parameters import Parameters
from redis_guard.project.spelled_tables import Spread
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import last_name, text

_STEPS = 5_000
"""Of one question; more are not worth the answer."""


class Spellings:
    """Answers over one project; `is_test` tells tests, whose calls say nothing about other code."""

    def __init__(self, inf: Inference, origins: Origins, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._index = inf.index
        self._origins = origins
        self._outside = Outside(inf.index, inf.index.modules)
        self._parameters = Parameters(self, inf, is_test)
        self._attributes = Attributes(self, inf)
        self._calls = Calls(self, inf)
        self._tables = Spread(self, inf, origins)
        self.takers: set[ScopeRef] = set()
        """Functions and classes that are handed names: who calls or extends them is worth reading."""
        self.wanted: set[str] = set()
        """Files, not loaded, in which a name is said."""
        self._steps = 0

    def begin(self) -> None:
        """Another question is asked: it may take as many steps as any."""
        self._steps = _STEPS

    def of(self, here: Here, expr: Expr) -> Spelling:
        """What `expr` may be."""
        self._steps -= 1
        if here.too_deep or self._steps < 0:
            return UNSEEN
        match expr:
            case Const(value=str() as value):
                return Spelling((Text(value, here.said),))
            case Const():
                return UNSEEN
            case Joined(parts=parts):
                return one_after_the_other([self.inner(here, part) for part in parts], text(expr))
            case Bin(op="+", left=left, right=right):
                return one_after_the_other([self.inner(here, left), self.inner(here, right)], text(expr))
            case Cond(body=left, orelse=right) | Bool(left=left, right=right):
                return together([self.inner(here, left), self.inner(here, right)])
            case Walrus(value=value) | Await(value=value):
                return self.inner(here, value)
            case Name():
                return self._name(here, expr)
            case Attr():
                return self._attributes.of(here, expr)
            case Sub(value=value, index=index):
                return self._tables.item(here, value, index)
            case Call():
                return self._calls.of(here, expr)
        return dynamic(text(expr))

    def inner(self, here: Here, expr: Expr) -> Spelling:
        """What a part of the expression at hand may be."""
        return self.of(here._replace(depth=here.depth + 1), expr)

    # -- names

    def _name(self, here: Here, name: Name) -> Spelling:
        scope, numbers = here.scope, name.defs
        if not numbers:
            owner = self._origins.owner(here.path, here.scope, name.id)
            if owner is None:
                return self._from_stars(here, here.path, name.id) or dynamic(name.id)
            scope, numbers = owner, tuple(self._index.definitions(here.path, owner)[name.id])
        return self.definitions(here, here.path, scope, numbers)

    def definitions(self, here: Here, path: str, scope: int, numbers: tuple[int, ...]) -> Spelling:
        """What the definitions of a name in a scope give it."""
        facts = self._index.modules[path].scopes[scope]
        found = together(self.definition(here, path, scope, number) for number in leaves(facts, numbers))
        in_a_circle = any((path, scope, number) in here.open for number in numbers)
        return found if found != NOTHING or in_a_circle else dynamic(facts.defs[numbers[0]].name)

    def definition(self, here: Here, path: str, scope: int, number: int) -> Spelling:
        """What one definition gives."""
        if (path, scope, number) in here.open:
            return NOTHING
        here = here.opening(path, scope, number)
        made = self._index.modules[path].scopes[scope].defs[number]
        match made.kind:
            case "import":
                return self._imported(here, path, made)
            case "assign" | "augmented" if made.value is not None:
                return self._assigned(here, path, scope, made, made.value)
            case "declared":
                return self._parameters.field(here, ScopeRef(path, scope), made)
            case "parameter":
                return self._parameters.of(here, ScopeRef(path, scope), made)
            case "for" if made.value is not None:
                return self._tables.elements(here.at(path, made.scope), made.value, made.unpack)
            case "function" if self._is_property(path, made):
                return self._calls.returned(here, ScopeRef(path, made.target))
            case "deleted":
                return NOTHING
        return dynamic(made.name)

    def _assigned(self, here: Here, path: str, scope: int, made: Def, value: Expr) -> Spelling:
        if isinstance(value, (Call, Seq)) and not made.unpack and is_enum(self._inf, ScopeRef(path, scope)):
            if isinstance(value, Call) and last_name(value.func) == "auto":
                return Spelling((Text(made.name.lower(), here.said),))
            if isinstance(value, Seq) and value.items:
                value = value.items[0]  # the rest is a label
        part = part_of(value, made.unpack)
        if part is None:
            return dynamic(made.name)
        given = self.of(here.at(path, made.scope), part)
        if made.annotation is None or self._index.modules[path].scopes[scope].kind != "class":
            return given
        return together([given, *self._parameters.built_with(here, ScopeRef(path, scope), made)])

    def _imported(self, here: Here, path: str, made: Def) -> Spelling:
        found = self._index.names.find(path, made.module)
        if found is None:
            return dynamic(made.name) if is_standard(made.module) else UNSEEN
        return dynamic(made.name) if made.symbol is None else self.member(here, found, made.symbol)

    def member(self, here: Here, path: str, name: str) -> Spelling:
        """The top-level name of a file."""
        if not self._index.ensure(path):
            self.wanted.add(path)
            return UNSEEN
        if numbers := self._index.definitions(path, 0).get(name):
            return self.definitions(here, path, 0, tuple(numbers))
        return self._from_stars(here, path, name) or UNSEEN

    def _from_stars(self, here: Here, path: str, name: str) -> Spelling | None:
        if here.too_deep:
            return UNSEEN
        unseen = False
        for module in self._index.modules[path].star_imports:
            found = self._index.names.find(path, module)
            if found is None:
                unseen = True
            elif not self._index.ensure(found):
                self.wanted.add(found)
                unseen = True
            elif name in self._index.definitions(found, 0) or self._index.modules[found].star_imports:
                given = self.member(here.at(here.path, here.scope), found, name)
                if given != UNSEEN:
                    return given
                unseen = True
        return UNSEEN if unseen else None

    def _is_property(self, path: str, made: Def) -> bool:
        return bool(classes.decorators(self._index.modules[path].scopes[made.target]) & PROPERTY_DECORATORS)

    # -- what the parts ask of each other (see spelled.py)

    def elements(self, here: Here, expr: Expr) -> Spelling:
        """What a loop over `expr` may give."""
        return self._tables.elements(here, expr)

    def item(self, here: Here, expr: Expr, index: Expr) -> Spelling:
        """What `expr[index]` may be."""
        return self._tables.item(here, expr, index)

    def of_enum(self, here: Here, ref: ScopeRef) -> Spelling:
        """Any member."""
        numbers = members(self._inf, ref)
        return together(self.definition(here, ref.path, ref.scope, number) for number in numbers)

    def unknown(self, here: Here, expr: Expr, *, constant: bool = False) -> Spelling:
        """An expression that no loaded file explains; names of constants are taken for constants."""
        source = self._outside.source(here.path, here.scope, expr)
        if source.file is not None:
            self.wanted.add(source.file)
            return UNSEEN
        return UNSEEN if constant else dynamic(text(expr))
