"""What a call of a function of the project gives.

Law of this file: what a function gives back of what it is given is what this call passes. What others pass counts
only where this call does not show its arguments.
"""

from collections.abc import Mapping

from redis_guard.facts.model import Attr, Await, Bool, Call, Cond, Expr, Name, Walrus
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.containers import filled
from redis_guard.project.foreign import given_back
from redis_guard.project.given import SHOWING, fits, generic, passing_of, shown_by
from redis_guard.project.library import GIVES_BACK
from redis_guard.project.passing import sources
from redis_guard.project.returning import Evaluate, returned
from redis_guard.project.unwrapping import awaited, entered
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Function,
    Instance,
    Library,
    ScopeRef,
    Value,
    Values,
    Wrapped,
    has_redis,
    join,
    one,
)


def called(inf: Asker, value: Value, ref: ScopeRef, call: Call | None, evaluate: Evaluate) -> Values:
    """What calling the function `value` gives; `evaluate` answers for the arguments."""
    function = inf.index.scope(ref)
    if call is not None and not fits(inf, value, ref, call, evaluate):
        return NOTHING
    shown = {} if call is None else shown_by(inf, value, ref, call, evaluate)
    found = _given(inf, ref, shown) if shown else inf.returned(ref)
    owner = value.object.owner if isinstance(value.object, Function) else None
    if owner is not None and isinstance(owner, (Instance, ClassObject)):
        found = tuple(_as_owner(inf, v, ref, owner) for v in found)
    grade = 2 if classes.decorators(function) <= SHOWING else LIKELY
    how = f"{function.qualname}()"
    return tuple(
        Value(v.object, min(v.grade, value.grade, grade), f"{how} from {v.how}" if v.how else how)
        for v in found
    )


def _as_owner(inf: Asker, value: Value, ref: ScopeRef, owner: Instance | ClassObject) -> Value:
    """A factory of a base class called on a subclass builds the subclass."""
    base = classes.class_of(inf, ref.path, ref.scope)
    if (
        isinstance(value.object, Instance)
        and base == value.object.ref
        and base in classes.bases(inf, owner.ref)
    ):
        made = classes.instance(inf, owner.ref)
        return Value(made, value.grade, value.how)
    return value


def _given(inf: Asker, ref: ScopeRef, shown: Mapping[int, Values]) -> Values:
    """What the function gives a call that passes this: remembered for all that pass such objects."""
    bare = {number: tuple(Value(v.object, v.grade) for v in passed) for number, passed in shown.items()}
    key = (ref, tuple(bare.items()))
    found = inf.remembered(key, lambda: _Frame(inf, ref, bare, key).returned())
    ways = {v.object: v.how for passed in shown.values() for v in passed}
    return tuple(Value(v.object, v.grade, ways.get(v.object, v.how)) for v in found)


class _Frame:
    """The inside of one call: parameters are what the call passes."""

    def __init__(
        self, inf: Asker, ref: ScopeRef, shown: Mapping[int, Values], key: tuple[object, ...]
    ) -> None:
        self._inf = inf
        self._ref = ref
        self._function = inf.index.scope(ref)
        self._passing = passing_of(inf, ref)
        self._shown = shown
        self._key = key

    def returned(self) -> Values:
        tied = generic(self._inf, self._ref, self._passing.tied)
        if not tied:
            return returned(self._inf, self._ref, self.values)
        found = join(*map(self._definition, tied))
        return one(Wrapped("awaitable", found)) if self._function.asynchronous and found else found

    def values(self, expr: Expr) -> Values:
        """What an expression of the function is in this call."""
        inf, (path, scope) = self._inf, self._ref
        if not self._passing.carrying.isdisjoint(sources(expr)):
            match expr:
                case Name(defs=defs):
                    return filled(inf, path, scope, expr, join(*map(self._definition, defs)))
                case Walrus(value=value):
                    return self.values(value)
                case Cond(body=left, orelse=right) | Bool(op="or", left=left, right=right):
                    return join(self.values(left), self.values(right))
                case Bool(right=right):
                    return self.values(right)
                case Await(value=value):
                    return awaited(self.values(value))
                case Attr(value=value, name=name) if has_redis(held := self.values(value)):
                    return join(*(inf.attribute(holder, name) for holder in held))
                case Call():
                    return self._called(expr)
        return inf.values(path, scope, expr)

    def _called(self, call: Call) -> Values:
        """A call that the function makes with what it is given, or of it."""
        functions = self.values(call.func)
        found = join(*(self._applied(value, call) for value in functions))
        followed = functions and all(_is_followed(value) for value in functions)
        return found if followed or has_redis(found) else self._inf.values(*self._ref, call)

    def _applied(self, value: Value, call: Call) -> Values:
        match value.object:
            case Function(ref=ref):
                return called(self._inf, value, ref, call, self.values)
            case Instance():
                inner = self._inf.attribute(value, "__call__")
                return join(*(self._applied(v, call) for v in inner if isinstance(v.object, Function)))
            case Library(name=name) if name in GIVES_BACK:
                return given_back(self._inf, name, call, *self._ref, self.values)
        return self._inf.called(value, call, *self._ref)

    def _definition(self, number: int) -> Values:
        if number not in self._passing.carrying:
            return self._inf.definition(*self._ref, number)
        return self._inf.remembered((*self._key, number), lambda: self._bound(number))

    def _bound(self, number: int) -> Values:
        made = self._function.defs[number]
        if made.kind == "merged":
            return join(*map(self._definition, made.sources))
        if number in self._shown:
            return self._shown[number]
        if made.kind == "parameter" or made.value is None:
            return self._inf.definition(*self._ref, number)
        found = self.values(made.value)
        if made.kind == "with":
            return entered(self._inf, found)
        if made.annotation is None or has_redis(found, LIKELY):
            return found
        return self._inf.definition(*self._ref, number)


def _is_followed(value: Value) -> bool:
    """Whether what it gives back is what it is given, and nothing else is known of it."""
    held = value.object
    return isinstance(held, Function) or (isinstance(held, Library) and held.name in GIVES_BACK)
