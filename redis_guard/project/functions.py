"""What calling a function of the project gives.

Law of this file: what a function gives back of what it is given is what this call passes. What others pass counts
only where this call does not show its arguments.
"""

from collections.abc import Callable

from redis_guard.facts.model import Attr, Await, Bool, Call, Cond, Const, Expr, Name, Walrus
from redis_guard.project import classes, passing
from redis_guard.project.annotations import believed
from redis_guard.project.asking import Asker
from redis_guard.project.containers import filled
from redis_guard.project.foreign import given_back
from redis_guard.project.library import CONTEXT_DECORATORS, GIVES_BACK, TRANSPARENT_DECORATORS
from redis_guard.project.parameters import argument
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
    through,
)

_DEPTH = 4
"""Of calls within calls beyond this many, what anybody passes counts."""

Evaluate = Callable[[Expr], Values]


def called(
    inf: Asker,
    value: Value,
    ref: ScopeRef,
    call: Call | None,
    evaluate: Evaluate,
    around: tuple[ScopeRef, ...] = (),
) -> Values:
    """What a call of the function gives; `evaluate` answers for the arguments, `around` are the calls it is within."""
    function = inf.index.scope(ref)
    if around.count(ref) > 1:
        return NOTHING  # a function that calls itself adds nothing by that
    if call is None or len(around) >= _DEPTH or not passing.gives_back(inf, ref):
        found = inf.returned(ref)
    else:
        found = _Frame(inf, value, ref, call, evaluate, around).returned()
    owner = value.object.owner if isinstance(value.object, Function) else None
    if owner is not None and isinstance(owner, (Instance, ClassObject)):
        found = tuple(_as_owner(inf, v, ref, owner) for v in found)
    marks = classes.decorators(function)
    grade = 2 if marks <= TRANSPARENT_DECORATORS | CONTEXT_DECORATORS else LIKELY
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


def returned(inf: Asker, ref: ScopeRef, evaluate: Evaluate | None = None) -> Values:
    """What calling the function gives, wrapped as its kind says; `evaluate` is a call's own view of its body."""
    function = inf.index.scope(ref)
    give = evaluate or (lambda expr: inf.values(ref.path, ref.scope, expr))
    declared = NOTHING
    if function.returns is not None:
        declared = inf.annotation(ref.path, function.parent, function.returns)
    if function.generator:
        return one(_produced(inf, ref, declared, give))
    roots = [root.expr for root in function.roots if root.use == "return"]
    if has_redis(declared):
        declared = through(declared, f"return of {function.qualname}")
        if evaluate is not None:
            given = (believed(declared, give(expr)) for expr in roots if not isinstance(expr, Const))
            declared = join(*given) or declared
    else:
        held = join(*map(give, roots))
        declared = join(declared, held) if not declared or has_redis(held) else declared
    return one(Wrapped("awaitable", declared)) if function.asynchronous and declared else declared


def _produced(inf: Asker, ref: ScopeRef, declared: Values, give: Evaluate) -> Wrapped:
    """What a generator gives: `-> Iterator[Redis]` names what it yields."""
    function = inf.index.scope(ref)
    held = inf.elements(ref.path, function.parent, None, declared)
    if not held:
        given = [
            (produced, give(produced.value)) for produced in inf.yields(ref) if produced.value is not None
        ]
        held = join(
            *(
                inf.elements(ref.path, ref.scope, None, values) if produced.delegates else values
                for produced, values in given
            )
        )
    kind = classes.decorators(function) & CONTEXT_DECORATORS
    return Wrapped("context" if kind else "iterator", held, function.asynchronous)


class _Frame:
    """One call of a function: its parameters are what the call passes."""

    def __init__(
        self,
        inf: Asker,
        value: Value,
        ref: ScopeRef,
        call: Call,
        evaluate: Evaluate,
        around: tuple[ScopeRef, ...],
    ) -> None:
        self._inf = inf
        self._ref = ref
        self._function = inf.index.scope(ref)
        self._receivers = passing.receivers(inf, ref)
        self._shift = passing.shift(inf, value, ref)
        self._call = call
        self._evaluate = evaluate
        self._around = (*around, ref)
        self._known: dict[int, Values] = {}

    def returned(self) -> Values:
        if not (generic := passing.generic(self._inf, self._ref)):
            return returned(self._inf, self._ref, self.values)
        found = join(*map(self._definition, generic))
        return one(Wrapped("awaitable", found)) if self._function.asynchronous and found else found

    def values(self, expr: Expr) -> Values:
        """What an expression of the function is in this call."""
        inf, (path, scope) = self._inf, self._ref
        if passing.stems(self._function, expr, self._receivers):
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
        """A call that the function makes, of what it is given or with it."""
        inf, (path, scope) = self._inf, self._ref
        functions = self.values(call.func)
        found: list[Values] = []
        shown = bool(functions)
        for value in functions:
            match value.object:
                case Function(ref=ref):
                    found.append(called(inf, value, ref, call, self.values, self._around))
                case Library(name=name) if name in GIVES_BACK:
                    found.append(given_back(inf, name, call, path, scope, self.values))
                case _:
                    shown = False
                    found.append(inf.called(value, call, path, scope))
        return join(*found) if shown or has_redis(join(*found)) else inf.values(path, scope, call)

    def _definition(self, number: int) -> Values:
        if number not in self._known:
            self._known[number] = NOTHING  # a variable that is bound to itself
            self._known[number] = self._bound(number)
        return self._known[number]

    def _bound(self, number: int) -> Values:
        made = self._function.defs[number]
        anyway = (*self._ref, number)
        if not passing.carries(self._function, number, self._receivers):
            return self._inf.definition(*anyway)
        if made.kind == "parameter":
            return self._parameter(number)
        if made.kind == "merged":
            return join(*map(self._definition, made.sources))
        assert made.value is not None
        found = self.values(made.value)
        if made.kind == "with":
            return entered(self._inf, found)
        return found if made.annotation is None or has_redis(found, LIKELY) else self._inf.definition(*anyway)

    def _parameter(self, number: int) -> Values:
        made, call = self._function.defs[number], self._call
        path, parent = self._ref.path, self._function.parent
        given = argument(call, made.target - self._shift, made.name)
        if given is not None:
            passed = self._evaluate(given)
        elif made.value is None or self._is_filled_in():
            return self._inf.definition(*self._ref, number)
        else:
            passed = self._inf.values(path, parent, made.value)
        if made.annotation is None:
            return passed
        declared = self._inf.annotation(path, parent, made.annotation)
        return believed(through(declared, f"parameter {made.name} of {self._function.qualname}"), passed)

    def _is_filled_in(self) -> bool:
        """Whether arguments may be passed that the call does not show: behind a star, by a decorator."""
        marks = classes.decorators(self._function)
        return any(arg.star for arg in self._call.args) or not marks <= (
            TRANSPARENT_DECORATORS | CONTEXT_DECORATORS
        )
