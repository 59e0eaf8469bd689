"""Uses of Redis objects -> the calls that rules judge.

Law of this file: it brings together; every single question is answered elsewhere.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from redis_guard.commands import Method
from redis_guard.facts.model import Arg, Attr, Call, Comp, Compare, Dict, Expr, Name, Seq, Sub, Walrus
from redis_guard.finding import Confidence, Span
from redis_guard.passwords import masked
from redis_guard.project import kinds, model
from redis_guard.project.arguments import Arguments
from redis_guard.project.binding import LISTED, Bound, bind, items, key_expressions
from redis_guard.project.built_with import REPLIES, RETRIES
from redis_guard.project.catching import Catching
from redis_guard.project.endurance import loop_over
from redis_guard.project.guards import Guards
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Key
from redis_guard.project.lock_objects import LockObjects
from redis_guard.project.lua_texts import PARAMETERS, LuaTexts
from redis_guard.project.places import Places
from redis_guard.project.signatures import has_other_lifetime
from redis_guard.project.sites import Use
from redis_guard.project.taken import Guard
from redis_guard.project.taking import Taking
from redis_guard.project.templates import Templates
from redis_guard.project.values import RedisObject
from redis_guard.project.walk import text

CONFIDENCE: dict[int, Confidence] = {2: "certain", 1: "likely", 0: "guessed"}


class Calls:
    """Builds the calls of one module."""

    def __init__(
        self,
        inf: Inference,
        templates: Templates,
        arguments: Arguments,
        places: Places,
        lua: LuaTexts | None = None,
    ) -> None:
        self._inf = inf
        self._lua = lua
        self._templates = templates
        self._arguments = arguments
        self._places = places
        self._locks = LockObjects(inf, templates.origins, arguments)

    def build(self, path: str, uses: list[Use]) -> tuple[tuple[model.Call, ...], Taking]:
        """The calls of one module, and what becomes of their results."""
        ordered = sorted(
            uses, key=lambda use: (use.scope, use.root, self._places.rank(use.scope, use.root, use.expr))
        )
        placed = [(use, self._places.place(use.scope, use.root, use.expr)) for use in ordered]
        catching = Catching(self._inf, self._templates.origins)
        taking = Taking(self._inf, self._arguments, catching, self._places, path, placed)
        return tuple(_with_modes([self._call(use, place, taking) for use, place in placed])), taking

    def _call(self, use: Use, place: model.Place, taking: Taking) -> model.Call:
        redis = use.value.object
        assert isinstance(redis, RedisObject)
        bound, held = self._bound(use, redis), self._held(use)
        given = tuple(
            (
                name,
                replace(
                    self._arguments.describe(use.path, use.scope, expr), takes=taking.of(use.scope, expr)
                ),
            )
            for name, expr in bound.given
        )
        keys, several = self._keys(use, bound)
        guards = taking.guards(use.scope)
        outcomes = self._places.outcomes(use.scope)
        result = outcomes.result(use.root, use.expr) if use.root >= 0 else model.Result("discarded", False)
        if use.method == "__setitem__":
            result = model.Result("discarded", False)
        client, created, source = self.identity(use.path, use.scope, use.receiver, redis.kind)
        script = dict(redis.options).get("script")
        facts = bound.facts
        if script is None and facts is not None and facts.family == "script":
            script = next(
                (
                    a.constants[0]
                    for n, a in given
                    if n == "script" and a.constants and isinstance(a.constants[0], str)
                ),
                None,
            )
        return model.Call(
            path=use.path,
            span=Span(*use.span),
            form=use.form,  # type: ignore[arg-type]  # sites use the same four words
            receiver=masked(text(use.receiver)),
            kind=redis.kind,
            cluster=redis.cluster,
            asynchronous=redis.asynchronous,
            type=redis.type,
            confidence=CONFIDENCE[use.value.grade],
            how=use.value.how or f"{text(use.receiver)} is {redis.type}",
            client=client,
            transaction=redis.transaction if redis.kind == "pipeline" else None,
            pipeline=created,
            method=use.method,
            command=bound.command,
            facts=facts,
            arguments=given,
            opaque=bound.opaque or has_other_lifetime(self._inf, redis, facts),
            keys=keys,
            lifetimes=tuple(
                model.Lifetime(expiry.parameter, expiry.unit, argument, expiry.of == "field")
                for expiry in (facts.expiry if facts else ())
                for name, argument in given
                if name == expiry.parameter
            ),
            place=place,
            result=result,
            immediate=redis.kind != "pipeline",
            script=script,
            enclosing_calls=outcomes.parents(use.root).enclosing_calls(use.expr) if use.root >= 0 else (),
            source=source,
            optional_pipeline=redis.kind == "pipeline" and self._may_be_client(use),
            guards=_decides(facts, guards)(use.root, use.expr),
            contexts=guards.contexts(place),
            caught=guards.caught(place),
            replies=_replies(held),
            retries=any(RETRIES in dict(one.options) for one in held),
            either=len({one.asynchronous for one in held if one.kind == redis.kind}) > 1,
            inserted=self._inserted(use, bound),
            loop=loop_over(self._inf, use.path, use.scope, use.expr) if use.method == "listen" else None,
            handles=guards.handles(place),
            several=several,
            lock_key=self._lock_key(use) if redis.kind == "lock" else None,
        )

    def _lock_key(self, use: Use) -> Key | None:
        """What the lock was made with, where everything that can have made it says the same."""
        makings, complete = self._locks.makings(use.path, use.scope, use.receiver)
        names = [made.argument("name", "key") for made in makings]
        keys = {name.key for name in names if name is not None and name.key.pieces}
        return next(iter(keys)) if complete and len(keys) == 1 and None not in names else None

    def _bound(self, use: Use, redis: RedisObject) -> Bound:
        facts = kinds.method(redis, use.method)
        expr = use.expr
        match expr:
            case Call():
                return bind(facts, expr)
            case Compare(left=left):
                given: tuple[Expr, ...] = (left,)
            case Sub(index=index):
                given = (index,)
                if use.method == "__setitem__":
                    stored = [
                        store.value
                        for store in self._inf.index.modules[use.path].scopes[use.scope].stores
                        if store.target is expr
                    ]
                    given = (index, *stored)
            case _:
                given = ()
        return bind(facts, Call(expr, tuple(Arg(value, None, 0) for value in given), use.span))

    def _keys(self, use: Use, bound: Bound) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
        """The keys, and those of them that a comprehension makes."""
        if bound.facts is None:
            return (), ()
        listed = {source.parameter for source in bound.facts.keys if source.shape in LISTED}
        bare = tuple(
            (name, self._written(use, expr) if name in listed else expr) for name, expr in bound.given
        )
        given = key_expressions(bound.facts.keys, bare)
        made = [expr for name, expr in bare if name in listed and isinstance(expr, Comp)]
        if listed and isinstance(use.expr, Call):
            for arg in use.expr.args:
                if arg.star == 1 and isinstance(keys := self._written(use, arg.value), (Comp, Seq)):
                    given += items(keys)
                    made += [keys] if isinstance(keys, Comp) else []
        from_loops = {id(element) for comprehension in made for element in comprehension.elements}

        def key(expr: Expr) -> Key:
            return self._templates.key(use.path, use.scope, expr)

        return tuple(map(key, given)), tuple(key(expr) for expr in given if id(expr) in from_loops)

    def _written(self, use: Use, keys: Expr) -> Expr:
        """The list, mapping or comprehension behind a variable, where it is written in the function."""
        if isinstance(keys, Name) and len(keys.defs) == 1:
            made = self._inf.index.modules[use.path].scopes[use.scope].defs[keys.defs[0]]
            if made.kind == "assign" and not made.unpack and isinstance(made.value, (Comp, Dict, Seq)):
                return made.value
        return keys

    def identity(self, path: str, scope: int, receiver: Expr, kind: str) -> tuple[str, int | None, str]:
        """The client's identity; for a pipeline made here the place of its making; what it was made from."""
        if kind != "pipeline":
            client = self._templates.identity(path, scope, receiver)
            made_by = receiver.func if isinstance(receiver, Call) else None
            if kind != "client" and isinstance(made_by, Attr):
                return client, None, self._templates.identity(path, scope, made_by.value)
            return client, None, client if kind == "client" else ""
        origin = self._chain_start(path, scope, receiver)
        if isinstance(origin, Call):
            line, column, *_ = origin.span
            func = origin.func
            maker = ""
            if isinstance(func, Attr) and func.name == "pipeline":
                maker = self._templates.identity(path, scope, func.value)
            return f"pipeline@{path}:{line}:{column}", line * 1000 + column, maker
        return self._templates.identity(path, scope, origin), None, ""

    def _held(self, use: Use) -> list[RedisObject]:
        """All that the receiver may be."""
        values = (use.value, *self._inf.values(use.path, use.scope, use.receiver))
        return [value.object for value in values if isinstance(value.object, RedisObject)]

    def _inserted(self, use: Use, bound: Bound) -> tuple[str, ...]:
        facts = bound.facts
        if self._lua is None or facts is None or not facts.family.startswith("script"):
            return ()
        texts = [expr for name, expr in bound.given if name in PARAMETERS]
        return tuple(part for expr in texts for part in self._lua.inserted(use.path, use.scope, expr))

    def _may_be_client(self, use: Use) -> bool:
        held = self._inf.values(use.path, use.scope, use.receiver)
        return any(isinstance(value.object, RedisObject) and value.object.kind == "client" for value in held)

    def _chain_start(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Expr:
        """`r.pipeline()` for `p`, `p.incr(k)` and `r.pipeline().incr(k).expire(k, 9)`."""
        if depth > 30:
            return expr
        match expr:
            case Call(func=Attr(value=value, name=name)):
                if name in ("pipeline", "__enter__"):
                    return expr
                held = self._inf.values(path, scope, value)
                if any(isinstance(v.object, RedisObject) and v.object.kind == "pipeline" for v in held):
                    return self._chain_start(path, scope, value, depth + 1)
                return expr
            case Walrus(value=value):
                return self._chain_start(path, scope, value, depth + 1)
            case Name(defs=(number,)):
                made = self._inf.index.modules[path].scopes[scope].defs[number]
                if made.kind in ("assign", "with") and made.value is not None and not made.unpack:
                    return self._chain_start(path, made.scope, made.value, depth + 1)
        return expr


def _decides(facts: Method | None, guards: Guards) -> Callable[[int, Expr], tuple[Guard, ...]]:
    """Whether a key may go can be asked of anything: `if self.is_mine():`."""
    return guards.every if facts is not None and facts.family == "delete" else guards.of


def _replies(held: list[RedisObject]) -> Literal["bytes", "text", ""]:
    told = {dict(one.options).get(REPLIES, "") for one in held}
    return "bytes" if told == {"bytes"} else "text" if told == {"text"} else ""


def _with_modes(calls: list[model.Call]) -> list[model.Call]:
    """Commands between WATCH and MULTI are sent at once; EXECUTE and its kin are never queued."""
    watching: dict[tuple[int, str], bool] = {}
    found: list[model.Call] = []
    for call in calls:
        if call.kind != "pipeline":
            found.append(call)
            continue
        key = (call.function.scope, call.client)
        own = call.method in ("execute", "watch", "unwatch", "reset", "close", "aclose")
        found.append(
            replace(call, immediate=True) if own or (watching.get(key) and call.method != "multi") else call
        )
        if call.method == "watch":
            watching[key] = True
        elif call.method in ("multi", "execute", "reset", "unwatch"):
            watching[key] = False
    return found
