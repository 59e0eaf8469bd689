"""Uses of the runtime -> the calls that rules judge, each with the names it may be given.

Law of this file: it brings together; every single question is answered elsewhere.
"""

from collections.abc import Callable, Iterator

from redis_guard.facts.model import Arg, Const, Expr
from redis_guard.finding import Span
from redis_guard.project import model, runtime
from redis_guard.project.calls import CONFIDENCE
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.places import Places
from redis_guard.project.runtime_steps import coroutine_calls
from redis_guard.project.runtime_uses import RuntimeUse, imports_runtime, runtime_uses, uses_runtime
from redis_guard.project.spelled import NOTHING, Here, Said, Spelling
from redis_guard.project.spelled_parameters import given_by_star
from redis_guard.project.spellings import Spellings
from redis_guard.project.values import RedisObject, ScopeRef
from redis_guard.project.walk import every, text


class RuntimeCalls:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._origins = origins
        self._spellings = Spellings(inf, origins, is_test)
        self._any = uses_runtime(inf)

    def find(self, path: str, places: Places) -> tuple[model.RuntimeCall, ...]:
        """The calls of one module."""
        return tuple(self._call(use, places) for use in self._uses(path))

    def steps(self, path: str, places: Places) -> Iterator[model.RuntimeStep]:
        """The calls of the runtime's coroutines in one module."""
        if self._any and path in self._inf.index.tables:
            for number, root, call in coroutine_calls(self._inf, self._origins, path):
                yield model.RuntimeStep(
                    path,
                    Span(*call.span),
                    text(call.func),
                    places.place(number, root, call),
                    places.outcomes(number).result(root, call),
                )

    def texts(self, path: str, calls: tuple[model.RuntimeCall, ...]) -> frozenset[str]:
        """Every text in a module that speaks of the runtime: what may be a name that nobody sees being used."""
        if not calls and not (self._any and imports_runtime(self._inf, path)):
            return frozenset()
        return frozenset(
            node.value
            for scope in self._inf.index.modules[path].scopes
            for root in (*(root.expr for root in scope.roots), *(store.value for store in scope.stores))
            for node in every(root)
            if isinstance(node, Const) and isinstance(node.value, str)
        )

    def leads(self) -> tuple[frozenset[ScopeRef], frozenset[str]]:
        """Functions and classes that names are handed to, and files, not loaded, in which names are said."""
        for path in list(self._inf.index.modules) if self._any else ():
            for use in self._uses(path):
                self._spelling(use)
        return frozenset(self._spellings.takers), frozenset(self._spellings.wanted)

    def _uses(self, path: str) -> Iterator[RuntimeUse]:
        if self._any and path in self._inf.index.tables:
            yield from runtime_uses(self._inf, self._origins, path)

    def _call(self, use: RuntimeUse, places: Places) -> model.RuntimeCall:
        owner = use.value.object
        assert isinstance(owner, RedisObject)
        said = self._spelling(use)
        return model.RuntimeCall(
            path=use.path,
            span=Span(*use.call.span),
            receiver=text(use.receiver),
            primitive=use.primitive,
            confidence=CONFIDENCE[use.value.grade],
            how=use.value.how or f"{text(use.receiver)} is {owner.type}",
            place=places.place(use.scope, use.root, use.call),
            names=tuple(
                model.SaidName(
                    found.text, found.said.path, Span(*found.said.span), self._qualname(found.said)
                )
                for found in said.texts
            ),
            dynamic=said.dynamic,
            unseen=said.unseen,
        )

    def _qualname(self, said: Said) -> str:
        return self._inf.index.modules[said.path].scopes[said.scope].qualname

    def _spelling(self, use: RuntimeUse) -> Spelling:
        here = Here(use.path, use.scope, Said(use.path, use.scope, use.call.span))
        self._spellings.begin()
        name = _name(use.given)
        if name is not None:
            return self._spellings.of(here, name)
        if any(arg.star for arg in use.given):
            return given_by_star(self._spellings, self._inf, here, use.given, (0, runtime.NAME))
        return NOTHING


def _name(given: tuple[Arg, ...]) -> Expr | None:
    for number, arg in enumerate(given):
        if arg.keyword == runtime.NAME or (number == 0 and arg.keyword is None and not arg.star):
            return arg.value
    return None
