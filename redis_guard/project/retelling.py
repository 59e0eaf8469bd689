"""What a function's call does, told in the terms of a function that calls it.

Law of this file: one call at a time. Told is only what the caller knows too: what it gives to parameters, what they
are by default, the object it asks, globals.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from redis_guard.facts.model import Attr, Call, Const, Expr
from redis_guard.finding import Span
from redis_guard.project import classes, model
from redis_guard.project.arguments import Arguments
from redis_guard.project.calls import Calls
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Hole, Key, joined
from redis_guard.project.parameters import argument
from redis_guard.project.places import Places
from redis_guard.project.templates import Templates
from redis_guard.project.values import Function, ScopeRef
from redis_guard.project.walk import last_name


@dataclass(frozen=True, slots=True)
class Asked:
    """A function is called: by whom, where, and with what."""

    caller: ScopeRef
    node: Call
    place: model.Place
    function: ScopeRef
    given: Mapping[str, Expr]
    """By identity: what its parameters, and `self`, are for the caller."""


class Retelling:
    """Answers for the calls that one module makes of functions."""

    def __init__(self, inf: Inference, templates: Templates, arguments: Arguments, path: str) -> None:
        self._inf = inf
        self._templates = templates
        self.places = Places(inf.index.modules[path], inf.index.tables[path].free)
        self._calls = Calls(inf, templates, arguments, self.places)

    def asked(self, caller: ScopeRef, root: int, node: Call, known: Iterable[ScopeRef]) -> Asked | None:
        """The one function among `known` that `node`, below `root`, means."""
        held = self._inf.values(caller.path, caller.scope, node.func)
        if len(held) != 1 or not isinstance(held[0].object, Function):
            return None
        meant = held[0].object
        if meant.ref == caller or meant.ref not in known:
            return None
        static = "staticmethod" in classes.decorators(self._inf.index.scope(meant.ref))
        shift = 1 if meant.owner is not None and not static else 0
        place = self.places.place(caller.scope, root, node)
        return Asked(caller, node, place, meant.ref, self._given(meant.ref, node, shift))

    def _given(self, ref: ScopeRef, node: Call, shift: int) -> dict[str, Expr]:
        function = self._inf.index.scope(ref)
        hidden = any(arg.star for arg in node.args)
        given: dict[str, Expr] = {}
        for number, param in enumerate(function.params):
            value = argument(node, number - shift, param.name) if number >= shift else None
            if value is None and isinstance(param.default, Const) and not hidden:
                value = param.default
            if value is not None:
                given[parameter(ref, param.name, number)] = value
        owner = self._inf.index.modules[ref.path].scopes[function.parent]
        if shift and isinstance(node.func, Attr) and last_name(node.func.value) != "super":
            given[f"self@{ref.path}:{owner.qualname}"] = node.func.value
        return given

    def key(self, asked: Asked, key: Key) -> Key:
        """A key of the function as the caller knows it."""
        pieces: list[str | Hole] = []
        for piece in key.pieces:
            if not isinstance(piece, Hole):
                pieces.append(piece)
            elif piece.identity in asked.given:
                caller = asked.caller
                pieces += self._templates.key(caller.path, caller.scope, asked.given[piece.identity]).pieces
            else:
                pieces.append(Hole(self._identity(asked, piece.identity), piece.name, piece.turns))
        return joined(pieces)

    def _identity(self, asked: Asked, identity: str) -> str:
        caller = asked.caller
        for name, value in asked.given.items():
            if name in identity:
                put = self._templates.identity(caller.path, caller.scope, value).replace("\\", r"\\")
                identity = re.sub(re.escape(name) + r"(?!\w)", put, identity)
        return identity

    def told(self, asked: Asked, call: model.Call) -> model.Call | None:
        """A call of the function, where the function is called; None where the caller cannot know its keys."""
        caller = asked.caller
        keys = tuple(self.key(asked, key) for key in call.keys)
        client, pipeline = self._identity(asked, call.client), call.pipeline
        source = self._identity(asked, call.source)
        if call.client in asked.given:
            client, pipeline, source = self._calls.identity(
                caller.path, caller.scope, asked.given[call.client], call.kind
            )
        holes = (hole.identity for key in keys for hole in key.pieces if isinstance(hole, Hole))
        own = f"{call.path}:{call.function.scope}:"
        if any(own in identity for identity in (client, source, *holes)):
            return None
        return replace(
            call,
            path=caller.path,
            span=Span(*asked.node.span),
            keys=keys,
            arguments=tuple(
                (name, replace(value, key=self.key(asked, value.key))) for name, value in call.arguments
            ),
            client=client,
            source=source,
            pipeline=pipeline,
            place=replace(asked.place, path=(*asked.place.path, *_inner(call))),
            lent_by=call,
        )


def parameter(ref: ScopeRef, name: str, number: int) -> str:
    """The identity of a parameter within its function."""
    return f"{ref.path}:{ref.scope}:{name}#{number}"


def _inner(call: model.Call) -> tuple[model.Arm, ...]:
    """The arms around a call in its function, told apart from the caller's; their ends are not the caller's."""
    return tuple(replace(arm, construct=-1 - arm.construct, ends=False) for arm in call.place.path)


def by_function(module: model.ModuleUses) -> dict[ScopeRef, list[model.Call]]:
    """The calls of a module by the function that makes them."""
    found: dict[ScopeRef, list[model.Call]] = {}
    for call in module.calls:
        found.setdefault(ScopeRef(call.path, call.function.scope), []).append(call)
    return found
