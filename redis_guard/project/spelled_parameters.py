"""Texts that are handed in: parameters, and the fields of classes that are built with them.

Law of this file: a parameter is what the project's callers say, each at its own place. One that nobody is seen to
give is decided at run time. Tests speak for tests alone.
"""

from collections.abc import Callable, Iterator

from redis_guard.facts.model import Arg, Attr, Bin, Const, Def, Dict, Expr, Name, Scope, Seq, Sub
from redis_guard.project import classes
from redis_guard.project.aliases import alias
from redis_guard.project.callbacks import handings
from redis_guard.project.callers import callers_of
from redis_guard.project.enums import is_enum
from redis_guard.project.inference import Inference
from redis_guard.project.library import CONTEXT_DECORATORS, TRANSPARENT_DECORATORS
from redis_guard.project.parameters import argument
from redis_guard.project.spelled import (
    NOTHING,
    UNSEEN,
    Here,
    Said,
    Speller,
    Spelling,
    Text,
    dynamic,
    together,
)
from redis_guard.project.tables import CallSite
from redis_guard.project.values import ClassObject, Instance, ScopeRef
from redis_guard.project.walk import last_name

_CALLERS = 120
_MAPPING = frozenset({"map", "imap", "imap_unordered"})
_WRITTEN_OUT = frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs"})
_HOLDERS = ("typing.NamedTuple", "pydantic.BaseModel", "pydantic.main.BaseModel", "msgspec.Struct")
_AROUND = frozenset({"Optional", "Annotated", "Final", "Required", "NotRequired", "Union"})


class Parameters:
    """Answers over one project; `spellings` is asked for the expressions that are handed in."""

    def __init__(self, spellings: Speller, inf: Inference, is_test: Callable[[str], bool]) -> None:
        self._spellings = spellings
        self._inf = inf
        self._is_test = is_test

    def of(self, here: Here, ref: ScopeRef, made: Def) -> Spelling:
        """What a parameter may be."""
        function = self._inf.index.scope(ref)
        self._spellings.takers.add(ref)
        if (said := self._annotated(here, ref.path, function.parent, made.annotation)) is not None:
            return said
        parts = list(self._handed_in(here, ref, function, made))
        if made.value is None:
            return together(parts) if parts else dynamic(made.name)
        default = self._spellings.of(here.at(ref.path, function.parent), made.value)
        plain = classes.decorators(function) <= TRANSPARENT_DECORATORS | CONTEXT_DECORATORS
        return together([default, *parts]) if parts or plain else dynamic(made.name)

    def _handed_in(self, here: Here, ref: ScopeRef, function: Scope, made: Def) -> Iterator[Spelling]:
        position = made.target
        for site, shift in callers_of(self._inf, ref, function)[:_CALLERS]:
            if not self._speaks(site, ref):
                continue
            given = argument(site.call, position - shift, made.name)
            if given is not None:
                yield self._spellings.of(_by(here, site), given)
            elif any(arg.star for arg in site.call.args):
                yield given_by_star(
                    self._spellings, self._inf, _by(here, site), site.call.args, (position - shift, made.name)
                )
        for site, given in handings(self._inf, ref, function, position):
            if not self._speaks(site, ref):
                continue
            if given is None:
                yield dynamic(made.name)
            elif last_name(site.call.func) in _MAPPING:
                yield self._spellings.elements(_by(here, site), given)
            else:
                yield self._spellings.of(_by(here, site), given)

    def _speaks(self, site: CallSite, ref: ScopeRef) -> bool:
        return self._is_test(ref.path) or not self._is_test(site.path)

    # -- fields

    def field(self, here: Here, ref: ScopeRef, made: Def) -> Spelling:
        """`name: str` in the body of a class whose fields are its parameters; elsewhere nothing is given yet."""
        if (said := self._annotated(here, ref.path, ref.scope, made.annotation)) is not None:
            return said
        if not self._written_out(ref):
            return NOTHING
        parts = self.built_with(here, ref, made)
        return together(parts) if parts else dynamic(made.name)

    def built_with(self, here: Here, ref: ScopeRef, made: Def) -> list[Spelling]:
        """What a field is given where instances are built, of a class whose fields are its parameters."""
        if not self._written_out(ref):
            return []
        self._spellings.takers.add(ref)
        fields = [other.name for other in self._inf.index.scope(ref).defs if other.annotation is not None]
        position = fields.index(made.name)
        parts: list[Spelling] = []
        for site in self._building(ref):
            given = argument(site.call, position, made.name)
            if given is not None:
                parts.append(self._spellings.of(_by(here, site), given))
        return parts

    def _written_out(self, ref: ScopeRef) -> bool:
        scope = self._inf.index.scope(ref)
        if scope.kind != "class":
            return False
        bases = classes.bases(self._inf, ref)
        return bool(classes.decorators(scope) & _WRITTEN_OUT) or any(base in _HOLDERS for base in bases)

    def _building(self, ref: ScopeRef) -> Iterator[CallSite]:
        for cls in (ref, *classes.subclasses(self._inf, ref)):
            name = self._inf.index.scope(cls).name
            for called in (name, *self._inf.index.named.get(name, ())):
                for site in self._inf.index.calls.get(called, ())[:_CALLERS]:
                    built = self._inf.values(site.path, site.scope, site.call.func)
                    if self._speaks(site, ref) and any(v.object == ClassObject(cls) for v in built):
                        yield site

    # -- annotations

    def _annotated(self, here: Here, path: str, scope: int, annotation: Expr | None) -> Spelling | None:
        """What `Literal["a", "b"]` or an enumeration promises; None where the annotation promises less."""
        if annotation is None or here.too_deep:
            return None
        if (
            isinstance(annotation, (Name, Attr))
            and (meant := alias(self._inf, path, scope, annotation)) is not None
        ):
            return self._annotated(here.at(here.path, here.scope), *meant)
        match annotation:
            case Sub(value=value, index=index) if last_name(value) == "Literal":
                items = index.items if isinstance(index, Seq) else (index,)
                # a text in an annotation is read as the expression that it may quote
                texts = [
                    item.id if isinstance(item, Name) else getattr(item, "value", None) for item in items
                ]
                return Spelling(tuple(Text(text, here.said) for text in texts if isinstance(text, str)))
            case Sub(value=value, index=index) if last_name(value) in _AROUND:
                first = index.items[0] if isinstance(index, Seq) and index.items else index
                return self._annotated(here.at(here.path, here.scope), path, scope, first)
            case Bin(op="|", left=left, right=Const(value=None)):
                return self._annotated(here.at(here.path, here.scope), path, scope, left)
            case Name() | Attr():
                return self._of_class(here, path, scope, annotation)
        return None

    def _of_class(self, here: Here, path: str, scope: int, annotation: Name | Attr) -> Spelling | None:
        found = self._inf.annotation(path, scope, annotation)
        for value in found:
            if isinstance(value.object, Instance) and is_enum(self._inf, value.object.ref):
                return self._spellings.of_enum(here, value.object.ref)
        if found:
            return None
        said = self._spellings.unknown(here.at(path, scope), annotation)
        return UNSEEN if said == UNSEEN else None


def given_by_star(
    spellings: Speller, inf: Inference, here: Here, args: tuple[Arg, ...], parameter: tuple[int, str]
) -> Spelling:
    """What arguments with `*` or `**` among them give for a parameter, which has a position and a name."""
    position, name = parameter
    for number, arg in enumerate(args):
        match arg.value:
            case Seq(items=items) if arg.star == 1 and 0 <= position - number < len(items):
                return spellings.of(here, items[position - number])
            case Dict(items=pairs) if arg.star == 2:
                for key, value in pairs:
                    if isinstance(key, Const) and key.value == name:
                        return spellings.of(here, value)
            case Name(defs=(made,)) if arg.star == 1 and position == number:
                scope = inf.index.modules[here.path].scopes[here.scope]
                if scope.defs[made].kind == "parameter":
                    return spellings.definitions(here, here.path, here.scope, (made,))
    return dynamic("an argument behind a star")


def _by(here: Here, site: CallSite) -> Here:
    return here.at(site.path, site.scope, Said(site.path, site.scope, site.call.span))
