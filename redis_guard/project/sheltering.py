"""Who catches what a function that watches keys may raise: its callers, its decorators.

Law of this file: asked of functions with a WATCH only, which are few; whoever is handed such a function may do
anything with it.
"""

from collections.abc import Iterator
from dataclasses import replace

from redis_guard.facts.model import Attr, Name, Scope
from redis_guard.project.callbacks import handings
from redis_guard.project.callers import CALLERS, callers_of
from redis_guard.project.catching import Catching
from redis_guard.project.inference import Inference
from redis_guard.project.model import ModuleUses
from redis_guard.project.tables import CallSite
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import every, last_name

_DEPTH = 3
"""Callers of callers of callers."""
_LOOPS = ("for", "while")
_BROAD = frozenset({"Exception", "BaseException"})


class Sheltering:
    """Tells the WATCH calls of a project what is caught around their functions."""

    def __init__(self, inf: Inference, catching: Catching) -> None:
        self._inf = inf
        self._catching = catching

    def to_module(self, module: ModuleUses) -> ModuleUses:
        """The module, its WATCH calls with what their functions' callers catch."""
        if not any(call.method == "watch" for call in module.calls):
            return module
        return replace(
            module,
            calls=tuple(
                replace(
                    call, caught_by_callers=self._around(ScopeRef(module.path, call.function.scope), _DEPTH)
                )
                if call.method == "watch"
                else call
                for call in module.calls
            ),
        )

    def _around(self, ref: ScopeRef, depth: int) -> frozenset[str] | None:
        function = self._inf.index.scope(ref)
        if function.kind != "function":
            return frozenset()
        if any(True for _ in handings(self._inf, ref, function, 0)):
            return None
        found = set(_told_to_decorators(function))
        for site, _ in callers_of(self._inf, ref, function)[:CALLERS] if depth else ():
            found.update(self._at(site))
            outer = self._around(ScopeRef(site.path, site.scope), depth - 1)
            if outer is None:
                return None
            found |= outer
        return frozenset(found)

    def _at(self, site: CallSite) -> Iterator[str]:
        """What is caught around a call; whoever catches everything tries again only within a loop."""
        scope = self._inf.index.scope(ScopeRef(site.path, site.scope))
        root = next((one for one in scope.roots if any(node is site.call for node in every(one.expr))), None)
        looped = False
        for step in root.path if root is not None else ():
            construct = scope.constructs[step.construct]
            looped = looped or construct.kind in _LOOPS
            if construct.kind == "try" and step.arm == 0:
                names = set(self._catching.names(site.path, site.scope, construct.catches))
                yield from names if looped else names - _BROAD
            elif construct.kind == "with":
                for number in construct.roots:
                    yield from self._catching.suppressed(site.path, site.scope, scope.roots[number].expr)


def _told_to_decorators(function: Scope) -> Iterator[str]:
    """`@task(autoretry_for=(WatchError,))`."""
    for mark in function.decorators:
        for node in every(mark):
            if isinstance(node, (Name, Attr)) and (name := last_name(node)):
                yield name
