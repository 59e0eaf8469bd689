"""From the name that a call is given back to the texts it may be: bindings, imports, attributes, small functions.

Law of this file: bindings are followed wherever they lead, arithmetic no further than putting texts together.
"""

import sys
from collections.abc import Callable, Iterator

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
    one_after_the_other,
    together,
)
from redis_guard.project.spelled_parameters import Parameters
from redis_guard.project.spelled_tables import LOOK_UPS, Spread
from redis_guard.project.values import (
    ClassObject,
    Function,
    Instance,
    Library,
    LibraryInstance,
    ModuleObject,
    RedisObject,
    ScopeRef,
)
from redis_guard.project.walk import dotted, last_name, text

_SAME = frozenset({"str", "intern", "sys.intern"})
_CAST = frozenset({"cast", "typing.cast"})
_STORES = 30


def _is_standard(name: str) -> bool:
    """Nothing in the standard library is the name of a use case."""
    return name.partition(".")[0] in sys.stdlib_module_names


class Spellings:
    """Answers over one project; `is_test` tells tests, whose calls say nothing about other code."""

    def __init__(self, inf: Inference, origins: Origins, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._index = inf.index
        self._origins = origins
        self._outside = Outside(inf.index, inf.index.modules)
        self._parameters = Parameters(self, inf, is_test)
        self._tables = Spread(self, inf, origins)
        self.takers: set[ScopeRef] = set()
        """Functions and classes that are handed names: who calls or extends them is worth reading."""
        self.wanted: set[str] = set()
        """Files, not loaded, in which a name is said."""

    def of(self, here: Here, expr: Expr) -> Spelling:
        """What `expr` may be."""
        if here.too_deep:
            return UNSEEN
        match expr:
            case Const(value=str() as value):
                return Spelling((Text(value, here.said),))
            case Const():
                return UNSEEN
            case Joined(parts=parts):
                return one_after_the_other([self._inner(here, part) for part in parts], text(expr))
            case Bin(op="+", left=left, right=right):
                return one_after_the_other([self._inner(here, left), self._inner(here, right)], text(expr))
            case Cond(body=left, orelse=right) | Bool(left=left, right=right):
                return together([self._inner(here, left), self._inner(here, right)])
            case Walrus(value=value) | Await(value=value):
                return self._inner(here, value)
            case Name():
                return self._name(here, expr)
            case Attr():
                return self._attribute(here, expr)
            case Sub(value=value, index=index):
                return self._tables.item(here, value, index)
            case Call():
                return self._call(here, expr)
        return dynamic(text(expr))

    def _inner(self, here: Here, expr: Expr) -> Spelling:
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
        found = together(self._definition(here, path, scope, number) for number in leaves(facts, numbers))
        in_a_circle = any((path, scope, number) in here.open for number in numbers)
        return found if found != NOTHING or in_a_circle else dynamic(facts.defs[numbers[0]].name)

    def _definition(self, here: Here, path: str, scope: int, number: int) -> Spelling:
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
                return self._parameters.declared(here, ScopeRef(path, scope), made)
            case "parameter":
                return self._parameters.of(here, ScopeRef(path, scope), made)
            case "for" if made.value is not None:
                return self._tables.elements(here.at(path, made.scope), made.value, made.unpack)
            case "function" if self._is_property(path, made):
                return self._returned(here, ScopeRef(path, made.target))
            case "deleted":
                return NOTHING
        return dynamic(made.name)

    def _assigned(self, here: Here, path: str, scope: int, made: Def, value: Expr) -> Spelling:
        if (
            isinstance(value, Call)
            and last_name(value.func) == "auto"
            and is_enum(self._inf, ScopeRef(path, scope))
        ):
            return Spelling((Text(made.name.lower(), here.said),))
        if isinstance(value, Seq) and not made.unpack and is_enum(self._inf, ScopeRef(path, scope)):
            value = value.items[0] if value.items else value  # the rest is a label
        part = part_of(value, made.unpack)
        return dynamic(made.name) if part is None else self.of(here.at(path, made.scope), part)

    def _imported(self, here: Here, path: str, made: Def) -> Spelling:
        found = self._index.names.find(path, made.module)
        if found is None:
            return dynamic(made.name) if _is_standard(made.module) else UNSEEN
        return dynamic(made.name) if made.symbol is None else self._member(here, found, made.symbol)

    def _member(self, here: Here, path: str, name: str) -> Spelling:
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
                given = self._member(here.at(here.path, here.scope), found, name)
                if given != UNSEEN:
                    return given
                unseen = True
        return UNSEEN if unseen else None

    def elements(self, here: Here, expr: Expr) -> Spelling:
        """What a loop over `expr` may give."""
        return self._tables.elements(here, expr)

    # -- attributes

    def _attribute(self, here: Here, expr: Attr) -> Spelling:
        if expr.name == "value" and (found := self._value_of_member(here, expr.value)) is not None:
            return found
        holders = self._inf.values(here.path, here.scope, expr.value)
        parts: list[Spelling] = []
        for holder in holders:
            match holder.object:
                case ModuleObject(path=path):
                    parts.append(self._member(here, path, expr.name))
                case ClassObject(ref=ref) | Instance(ref=ref) | RedisObject(cls=ScopeRef() as ref):
                    parts.append(self._of_class(here, ref, expr))
                case Library(name=name):
                    parts.append(dynamic(text(expr)) if _is_standard(name) else UNSEEN)
        return together(parts) if parts else self.unknown(here, expr, constant=expr.name.isupper())

    def unknown(self, here: Here, expr: Expr, *, constant: bool = False) -> Spelling:
        """An expression that no loaded file explains; names of constants are taken for constants."""
        source = self._outside.source(here.path, here.scope, expr)
        if source.file is not None:
            self.wanted.add(source.file)
            return UNSEEN
        return UNSEEN if constant else dynamic(text(expr))

    def _value_of_member(self, here: Here, expr: Expr) -> Spelling | None:
        """`UseCase.SETTLE.value`, and `case.value` where `case` is a member of an enumeration."""
        if isinstance(expr, Attr):
            for holder in self._inf.values(here.path, here.scope, expr.value):
                if isinstance(holder.object, ClassObject):
                    return self._of_class(here, holder.object.ref, expr)
        for holder in self._inf.values(here.path, here.scope, expr):
            if isinstance(holder.object, Instance) and is_enum(self._inf, holder.object.ref):
                return self.of_enum(here, holder.object.ref)
        # a member that was looped over, or comes from a table
        member = self._inner(here, expr)
        return member if member.texts and not member.dynamic else None

    def of_enum(self, here: Here, ref: ScopeRef) -> Spelling:
        """Any member."""
        numbers = members(self._inf, ref)
        return together(self._definition(here, ref.path, ref.scope, number) for number in numbers)

    def _of_class(self, here: Here, ref: ScopeRef, expr: Attr) -> Spelling:
        """What instances have under a name: by their class, by those below it, and by what is stored there."""
        if not is_enum(self._inf, ref):
            self.takers.add(ref)
        line = [item for item in classes.bases(self._inf, ref) if isinstance(item, ScopeRef)]
        below = classes.subclasses(self._inf, ref)
        own = next(
            (item for item in line if expr.name in self._index.definitions(item.path, item.scope)), None
        )
        parts: list[Spelling] = []
        for item in (*([own] if own is not None else []), *below):
            numbers = self._index.definitions(item.path, item.scope).get(expr.name, ())
            parts += [self._definition(here, item.path, item.scope, number) for number in numbers]
        parts += self._stored(here, (*line, *below), expr.name)
        found = together(parts)
        if found != NOTHING:
            return found
        foreign = any(isinstance(item, str) for item in classes.bases(self._inf, ref))
        return UNSEEN if foreign and expr.name.isupper() else dynamic(text(expr))

    def _stored(self, here: Here, line: tuple[ScopeRef, ...], name: str) -> Iterator[Spelling]:
        sites = [site for item in line for site in self._index.own_stores(item.path, item.scope, name)]
        for site in self._index.other_stores.get(name, ())[:_STORES]:
            target = site.store.target
            held = self._inf.values(site.path, site.scope, target.value)
            if any(isinstance(v.object, (Instance, ClassObject)) and v.object.ref in line for v in held):
                sites.append(site)
        for site in sites:
            part = part_of(site.store.value, site.store.unpack)
            there = here.at(site.path, site.scope)
            yield dynamic(name) if part is None else self.of(there, part)

    # -- calls

    def _call(self, here: Here, call: Call) -> Spelling:
        written, given = dotted(call.func) or "", [arg.value for arg in call.args if not arg.star]
        if written in _SAME and given:
            return self._inner(here, given[0])
        if written in _CAST and len(given) == 2:
            return self._inner(here, given[1])
        if isinstance(call.func, Attr) and call.func.name in LOOK_UPS and given:
            found = self._tables.item(here, call.func.value, given[0])
            return together([found, *(self._inner(here, default) for default in given[1:2])])
        parts: list[Spelling] = []
        for value in self._inf.values(here.path, here.scope, call.func):
            match value.object:
                case Function(ref=ref):
                    parts.append(self._returned(here, ref))
                case ClassObject(ref=ref) if is_enum(self._inf, ref):
                    parts.append(self.of_enum(here, ref))
                case ClassObject(ref=ref) if "builtins.str" in classes.bases(self._inf, ref) and given:
                    parts.append(self._inner(here, given[0]))
                case LibraryInstance(name="typing.NewType") if given:
                    parts.append(self._inner(here, given[0]))
        if parts:
            return together(parts)
        return self.unknown(here, call.func)._replace(dynamic=text(call))

    def _returned(self, here: Here, ref: ScopeRef) -> Spelling:
        """What a function of the project gives back."""
        if (ref.path, ref.scope, -1) in here.open:
            return NOTHING
        function = self._index.scope(ref)
        returns = [root.expr for root in function.roots if root.use == "return"]
        if function.generator or not returns:
            return dynamic(f"{function.name}()")
        inside = here.opening(ref.path, ref.scope, -1).at(ref.path, ref.scope)
        return together(self.of(inside, expr) for expr in returns)

    def _is_property(self, path: str, made: Def) -> bool:
        return bool(classes.decorators(self._index.modules[path].scopes[made.target]) & PROPERTY_DECORATORS)
