"""What a call passes for the parameters that a function may give back.

Law of this file: only what the call shows; arguments behind a star and of decorators are nobody's guess.
"""

import builtins

from redis_guard.facts.model import Call
from redis_guard.project import classes
from redis_guard.project.annotations import allowed, believed
from redis_guard.project.asking import Asker
from redis_guard.project.library import CONTEXT_DECORATORS, TRANSPARENT_DECORATORS
from redis_guard.project.parameters import argument
from redis_guard.project.passing import Passing, passing
from redis_guard.project.returning import Evaluate
from redis_guard.project.values import (
    LIKELY,
    ClassObject,
    Function,
    Library,
    LibraryInstance,
    ScopeRef,
    Value,
    Values,
    has_redis,
    through,
)

_BUILT_INS = frozenset(dir(builtins))
_TYPE_VARIABLES = frozenset({"typing.TypeVar", "typing_extensions.TypeVar"})
_OF_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
SHOWING = TRANSPARENT_DECORATORS | CONTEXT_DECORATORS
"""Decorators that pass on what is passed, and no more."""


def passing_of(inf: Asker, ref: ScopeRef) -> Passing:
    if ref not in inf.passing:
        function = inf.index.scope(ref)
        results = [root.expr for root in function.roots if root.use == "return"]
        results += [produced.value for produced in inf.yields(ref) if produced.value is not None]
        inf.passing[ref] = passing(function, results, _receivers(inf, ref))
    return inf.passing[ref]


def _receivers(inf: Asker, ref: ScopeRef) -> int:
    """How many of the first parameters are the object or the class that the function is a method of."""
    function = inf.index.scope(ref)
    in_class = inf.index.modules[ref.path].scopes[function.parent].kind == "class"
    return 1 if in_class and "staticmethod" not in classes.decorators(function) else 0


def _shift(inf: Asker, value: Value, ref: ScopeRef) -> int:
    """How many parameters the object takes that the function was reached through."""
    owner = value.object.owner if isinstance(value.object, Function) else None
    if owner is None or not _receivers(inf, ref):
        return 0
    function = inf.index.scope(ref)
    of_class = "classmethod" in classes.decorators(function) or function.name in _OF_CLASS
    return 0 if isinstance(owner, ClassObject) and not of_class else 1


def generic(inf: Asker, ref: ScopeRef, tied: tuple[int, ...]) -> tuple[int, ...]:
    """Parameters that a type variable ties to the result: `def f(c: T, n: int) -> T`."""
    function = inf.index.scope(ref)
    if not tied or function.returns is None:
        return ()
    meant = inf.values(ref.path, function.parent, function.returns)
    return tied if meant and all(_is_type_variable(value) for value in meant) else ()


def _is_type_variable(value: Value) -> bool:
    match value.object:
        case LibraryInstance(name=name):
            return name in _TYPE_VARIABLES
        case Library(name=name):  # of `def f[T](c: T)` nobody knows where T comes from
            return name.startswith("builtins.") and name.removeprefix("builtins.") not in _BUILT_INS
    return False


def shown_by(inf: Asker, value: Value, ref: ScopeRef, call: Call, evaluate: Evaluate) -> dict[int, Values]:
    """Of the parameters that the result may be, what the call passes, as far as it shows that."""
    known, function = passing_of(inf, ref), inf.index.scope(ref)
    shift = _shift(inf, value, ref)
    hidden = any(arg.star for arg in call.args) or not classes.decorators(function) <= SHOWING
    shown: dict[int, Values] = {}
    for number in generic(inf, ref, known.tied) or known.parameters:
        made = function.defs[number]
        given = argument(call, made.target - shift, made.name)
        if given is not None:
            passed = evaluate(given)
        elif made.value is not None and not hidden:
            passed = inf.values(ref.path, function.parent, made.value)
        else:
            continue
        if made.annotation is not None:
            declared = inf.annotation(ref.path, function.parent, made.annotation)
            passed = believed(through(declared, f"parameter {made.name} of {function.qualname}"), passed)
        shown[number] = passed
    return shown


def fits(inf: Asker, value: Value, ref: ScopeRef, call: Call, evaluate: Evaluate) -> bool:
    """Whether the call may mean the function: another of its overloads is meant where another client is passed."""
    function = inf.index.scope(ref)
    if "overload" not in classes.decorators(function):
        return True
    shift = _shift(inf, value, ref)
    for made in function.defs:
        if made.kind == "parameter" and made.annotation is not None:
            given = argument(call, made.target - shift, made.name)
            declared = inf.annotation(ref.path, function.parent, made.annotation)
            if given is not None and has_redis(declared):
                passed = evaluate(given)
                if has_redis(passed, LIKELY) and not allowed(declared, passed):
                    return False
    return True
