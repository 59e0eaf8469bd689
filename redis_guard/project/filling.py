"""Pipelines that are handed to functions of the project which do nothing with them but queue commands.

Law of this file: asked of pipelines that their own function does not send, which are few; a function that could do
anything else with a pipeline is believed to send it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from redis_guard.facts.model import Call, Name
from redis_guard.project import classes, model
from redis_guard.project.inference import Inference
from redis_guard.project.parameters import argument
from redis_guard.project.places import Places
from redis_guard.project.values import Function, ScopeRef
from redis_guard.project.walk import every

_SENDS = frozenset({"execute", "immediate_execute_command", "reset", "discard", "watch", "close", "aclose"})
_DEPTH = 3
"""Functions that hand it to functions that hand it to functions."""
_LOOKED_AT = ("compared", "condition")


class Filling:
    """Tells the calls that make pipelines who fills those."""

    def __init__(self, inf: Inference, modules: Iterable[model.ModuleUses]) -> None:
        self._inf = inf
        self._calls: defaultdict[ScopeRef, list[model.Call]] = defaultdict(list)
        for module in modules:
            for call in module.calls:
                self._calls[ScopeRef(module.path, call.function.scope)].append(call)
        self._places: dict[str, Places] = {}

    def to_module(self, module: model.ModuleUses) -> model.ModuleUses:
        """The module, with what others queue on the pipelines that it makes."""
        if not any(_is_handed_on(call) for call in module.calls):
            return module
        return replace(
            module,
            calls=tuple(
                replace(call, filled_by=self._fillers(call)) if _is_handed_on(call) else call
                for call in module.calls
            ),
        )

    def _fillers(self, made: model.Call) -> tuple[model.Call, ...] | None:
        ref = ScopeRef(made.path, made.function.scope)
        uses = [use.place_order for use in made.result.later or () if use.use == "argument"]
        return self._handed(ref, frozenset(made.result.names), uses, _DEPTH)

    def _handed(
        self, ref: ScopeRef, names: frozenset[str], uses: Sequence[int], depth: int
    ) -> tuple[model.Call, ...] | None:
        """What is queued by all whom a function hands the variable to; None where one may do something else.

        `uses` are the roots in which it is handed on, each as often as it is.
        """
        found: list[model.Call] = []
        handed = list(self._given(ref, names, frozenset(uses)))
        for node, given in handed:
            queued = self._queued(ref, node, given, depth)
            if queued is None:
                return None
            found += queued
        return tuple(found) if len(handed) == len(uses) else None

    def _given(
        self, ref: ScopeRef, names: frozenset[str], roots: frozenset[int]
    ) -> Iterator[tuple[Call, Name]]:
        for number in sorted(roots):
            for node in every(self._inf.index.scope(ref).roots[number].expr):
                if isinstance(node, Call):
                    for arg in node.args:
                        if isinstance(arg.value, Name) and arg.value.id in names and not arg.star:
                            yield node, arg.value

    def _queued(self, caller: ScopeRef, node: Call, given: Name, depth: int) -> tuple[model.Call, ...] | None:
        held = self._inf.values(caller.path, caller.scope, node.func)
        if not depth or len(held) != 1 or not isinstance(held[0].object, Function):
            return None
        meant = held[0].object
        function = self._inf.index.scope(meant.ref)
        if meant.owner is not None and len(self._inf.index.functions.get(function.name, ())) != 1:
            return None  # a subclass may do otherwise
        marks = set(classes.decorators(function))
        if function.generator or marks - {"staticmethod", "classmethod"}:
            return None
        static = "staticmethod" in marks
        shift = 1 if meant.owner is not None and not static else 0
        for number, param in enumerate(function.params):
            if number >= shift and argument(node, number - shift, param.name) is given:
                return self._inside(meant.ref, number, depth)
        return None

    def _inside(self, ref: ScopeRef, number: int, depth: int) -> tuple[model.Call, ...] | None:
        """What a function queues on its parameter; None where it does anything else with it."""
        function = self._inf.index.scope(ref)
        name = function.params[number].name
        outcomes = self._place(ref.path).outcomes(ref.scope)
        own = [call for call in self._calls[ref] if call.client == f"{ref.path}:{ref.scope}:{name}#{number}"]
        if self._is_bound_again(ref, name) or not all(map(_only_queues, own)):
            return None
        seen = [
            (turn, outcomes.parents(turn).use(node).use)
            for turn, root in enumerate(function.roots)
            for node in every(root.expr)
            if isinstance(node, Name) and node.id == name
        ]
        handed = [turn for turn, use in seen if use == "argument"]
        chained = sum(use == "chained" for _, use in seen)
        if chained != sum(call.receiver == name for call in own):
            return None
        if len(seen) != chained + len(handed) + sum(use in _LOOKED_AT for _, use in seen):
            return None
        further = self._handed(ref, frozenset((name,)), handed, depth - 1)
        return None if further is None else (*own, *further)

    def _is_bound_again(self, ref: ScopeRef, name: str) -> bool:
        """It stands for something else later, or functions inside this one read it."""
        module = self._inf.index.modules[ref.path]
        bound = sum(made.name == name for made in module.scopes[ref.scope].defs)
        free = self._inf.index.tables[ref.path].free
        return bound != 1 or any(
            name in free[number] for number, scope in enumerate(module.scopes) if scope.parent == ref.scope
        )

    def _place(self, path: str) -> Places:
        if path not in self._places:
            self._places[path] = Places(self._inf.index.modules[path], self._inf.index.tables[path].free)
        return self._places[path]


def _is_handed_on(call: model.Call) -> bool:
    """It makes a pipeline that somebody else is given, and that is not sent here."""
    if call.method != "pipeline" or call.kind == "pipeline" or not call.result.later:
        return False
    later = call.result.later
    return any(use.use == "argument" for use in later) and not any(use.callee in _SENDS for use in later)


def _only_queues(call: model.Call) -> bool:
    return call.command is not None and not call.immediate and call.result.use in ("discarded", "chained")
