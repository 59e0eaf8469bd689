"""What a function's helpers do to Redis, told in the function's own terms.

Law of this file: one level. A helper's call is lent to a caller only where its keys and its client are known
there: they are the helper's parameters, the object's own attributes, or globals.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from redis_guard.facts.model import Call, Expr
from redis_guard.finding import Span
from redis_guard.project import classes, model
from redis_guard.project.arguments import Arguments
from redis_guard.project.calls import Calls
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Hole, Key, joined
from redis_guard.project.parameters import argument
from redis_guard.project.places import Places
from redis_guard.project.templates import Templates
from redis_guard.project.values import Function, ScopeRef, Values
from redis_guard.project.walk import every, last_name

_LENT = frozenset({"sets", "may-set", "clears", "keeps", "ends"})
_SIDE = 500
"""More calls than this in one helper are not lent."""


class Helper(NamedTuple):
    """A function whose calls can be lent."""

    ref: ScopeRef
    calls: tuple[model.Call, ...]


class Lending:
    """Lends the calls of helpers to the functions that call them."""

    def __init__(
        self, inf: Inference, templates: Templates, arguments: Arguments, modules: Iterable[model.ModuleUses]
    ) -> None:
        self._inf = inf
        self._templates = templates
        self._arguments = arguments
        self._helpers: defaultdict[str, list[Helper]] = defaultdict(list)
        for module in modules:
            for ref, calls in _by_function(module).items():
                lent = tuple(call for call in calls if _speaks_of_parameters(call))
                if lent and len(lent) <= _SIDE and not calls[0].function.generator:
                    self._helpers[calls[0].function.name].append(Helper(ref, lent))

    def to_module(self, module: model.ModuleUses) -> tuple[model.Call, ...]:
        """What helpers do for those functions of a module that use Redis themselves."""
        callers = _by_function(module)
        if not callers:
            return ()
        places = Places(self._inf.index.modules[module.path], self._inf.index.tables[module.path].free)
        calls = Calls(self._inf, self._templates, self._arguments, places)
        return tuple(call for ref in callers for call in self._to_function(ref, places, calls))

    def _to_function(self, caller: ScopeRef, places: Places, calls: Calls) -> Iterator[model.Call]:
        for number, root in enumerate(self._inf.index.scope(caller).roots):
            for node in every(root.expr):
                if isinstance(node, Call) and last_name(node.func) in self._helpers:
                    helper, shift = self._called(caller, node)
                    if helper is not None and helper.ref != caller:
                        given = self._given(helper.ref, node, shift)
                        place = places.place(caller.scope, number, node)
                        for call in helper.calls:
                            lent = self._lent(call, caller, node, given, place, calls)
                            if lent is not None:
                                yield lent

    def _called(self, caller: ScopeRef, node: Call) -> tuple[Helper | None, int]:
        """The one helper that a call means, and how many parameters its receiver takes."""
        held: Values = self._inf.values(caller.path, caller.scope, node.func)
        if len(held) != 1 or not isinstance(held[0].object, Function):
            return None, 0
        meant = held[0].object
        helper = next(
            (known for known in self._helpers[last_name(node.func) or ""] if known.ref == meant.ref), None
        )
        static = "staticmethod" in classes.decorators(self._inf.index.scope(meant.ref))
        return helper, 1 if meant.owner is not None and not static else 0

    def _given(self, ref: ScopeRef, node: Call, shift: int) -> dict[str, Expr]:
        given: dict[str, Expr] = {}
        for number, param in enumerate(self._inf.index.scope(ref).params):
            value = argument(node, number - shift, param.name) if number >= shift else None
            if value is not None:
                given[f"{ref.path}:{ref.scope}:{param.name}#{number}"] = value
        return given

    def _lent(
        self,
        call: model.Call,
        caller: ScopeRef,
        node: Call,
        given: dict[str, Expr],
        place: model.Place,
        calls: Calls,
    ) -> model.Call | None:
        own = f"{call.path}:{call.function.scope}:"

        def told(identity: str) -> str:
            for parameter, value in given.items():
                if parameter in identity:
                    put = self._templates.identity(caller.path, caller.scope, value)
                    identity = re.sub(re.escape(parameter) + r"(?!\d)", put.replace("\\", r"\\"), identity)
            return identity

        def put(key: Key) -> Key:
            pieces: list[str | Hole] = []
            for piece in key.pieces:
                if isinstance(piece, Hole) and piece.identity in given:
                    pieces += self._templates.key(caller.path, caller.scope, given[piece.identity]).pieces
                else:
                    pieces.append(
                        Hole(told(piece.identity), piece.name, piece.turns)
                        if isinstance(piece, Hole)
                        else piece
                    )
            return joined(pieces)

        keys = tuple(put(key) for key in call.keys)
        client, pipeline, source = told(call.client), call.pipeline, told(call.source)
        if call.client in given:
            client, pipeline, source = calls.identity(
                caller.path, caller.scope, given[call.client], call.kind
            )
        unseen = [
            client,
            source,
            *(hole.identity for key in keys for hole in key.pieces if isinstance(hole, Hole)),
        ]
        if any(own in identity for identity in unseen):
            return None
        return replace(
            call,
            path=caller.path,
            span=Span(*node.span),
            keys=keys,
            arguments=tuple((name, replace(value, key=put(value.key))) for name, value in call.arguments),
            client=client,
            source=source,
            pipeline=pipeline,
            place=replace(place, path=(*place.path, *_inner(call))),
            lent_by=call,
        )


def _inner(call: model.Call) -> tuple[model.Arm, ...]:
    """The arms around a call in its helper, told apart from the caller's; their ends are not the caller's."""
    return tuple(replace(arm, construct=-1 - arm.construct, ends=False) for arm in call.place.path)


def _by_function(module: model.ModuleUses) -> dict[ScopeRef, list[model.Call]]:
    found: defaultdict[ScopeRef, list[model.Call]] = defaultdict(list)
    for call in module.calls:
        found[ScopeRef(call.path, call.function.scope)].append(call)
    return found


def _speaks_of_parameters(call: model.Call) -> bool:
    """It writes keys that the caller decides on, at least in part."""
    if call.facts is None or not (call.facts.lifetime in _LENT or call.facts.family == "script"):
        return False
    mine = f"{call.path}:{call.function.scope}:"
    return any(
        isinstance(piece, Hole) and mine in piece.identity and "#" in piece.identity
        for key in call.keys
        for piece in key.pieces
    )
