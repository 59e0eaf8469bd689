"""Which functions may give back what they are given: `def tuned(c): c.x = 1; return c`.

Law of this file: by what the function's own statements say; who calls it is not asked.
"""

import builtins

from redis_guard.facts.model import Attr, Await, Bool, Call, Cond, Def, Expr, Name, Scope, Walrus
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.values import ClassObject, Function, Library, LibraryInstance, ScopeRef, Value

_BUILT_INS = frozenset(dir(builtins))
_TYPE_VARIABLES = frozenset({"typing.TypeVar", "typing_extensions.TypeVar"})
_OF_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


def gives_back(inf: Asker, ref: ScopeRef) -> bool:
    """Whether something that the function returns or yields may be what it is given."""
    if ref not in inf.passing:
        function, first = inf.index.scope(ref), receivers(inf, ref)
        given = [root.expr for root in function.roots if root.use == "return"]
        given += [produced.value for produced in inf.yields(ref) if produced.value is not None]
        stemming = any(stems(function, expr, first) for expr in given)
        inf.passing[ref] = stemming or bool(_same_annotation(function, first))
    return inf.passing[ref]


def receivers(inf: Asker, ref: ScopeRef) -> int:
    """How many of the first parameters are the object or the class that the function is a method of."""
    function = inf.index.scope(ref)
    in_class = inf.index.modules[ref.path].scopes[function.parent].kind == "class"
    return 1 if in_class and "staticmethod" not in classes.decorators(function) else 0


def shift(inf: Asker, value: Value, ref: ScopeRef) -> int:
    """How many parameters the object takes that the function was reached through."""
    owner = value.object.owner if isinstance(value.object, Function) else None
    if owner is None or not receivers(inf, ref):
        return 0
    function = inf.index.scope(ref)
    of_class = "classmethod" in classes.decorators(function) or function.name in _OF_CLASS
    return 0 if isinstance(owner, ClassObject) and not of_class else 1


def generic(inf: Asker, ref: ScopeRef) -> list[int]:
    """Definitions of the parameters that a type variable ties to the result: `def f(c: T, n: int) -> T`."""
    function = inf.index.scope(ref)
    tied = _same_annotation(function, receivers(inf, ref))
    if not tied or function.returns is None or function.generator:
        return []
    meant = inf.values(ref.path, function.parent, function.returns)
    return tied if meant and all(_is_type_variable(value) for value in meant) else []


def _same_annotation(function: Scope, first: int) -> list[int]:
    if not isinstance(function.returns, Name):
        return []
    return [
        number
        for number, made in enumerate(function.defs)
        if _is_given(made, function, first)
        and isinstance(made.annotation, Name)
        and made.annotation.id == function.returns.id
    ]


def _is_type_variable(value: Value) -> bool:
    match value.object:
        case LibraryInstance(name=name):
            return name in _TYPE_VARIABLES
        case Library(name=name):  # of `def f[T](c: T)` nobody knows where T comes from
            return name.startswith("builtins.") and name.removeprefix("builtins.") not in _BUILT_INS
    return False


def _is_given(made: Def, function: Scope, first: int) -> bool:
    return made.kind == "parameter" and made.target >= first and not function.params[made.target].star


def stems(function: Scope, expr: Expr, first: int, seen: frozenset[int] = frozenset()) -> bool:
    """Whether an expression may be what a parameter, from the `first` on, was given, or what calls make of it."""
    match expr:
        case Name(defs=defs):
            return any(carries(function, number, first, seen) for number in defs)
        case Walrus(value=value) | Await(value=value) | Attr(value=value):
            return stems(function, value, first, seen)
        case Cond(body=left, orelse=right) | Bool(left=left, right=right):
            return stems(function, left, first, seen) or stems(function, right, first, seen)
        case Call(func=func, args=args):
            parts = (func, *(arg.value for arg in args))
            return any(stems(function, part, first, seen) for part in parts)
    return False


def carries(function: Scope, number: int, first: int, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a variable, as one definition binds it, may be what a parameter was given."""
    if number in seen:
        return False
    made, seen = function.defs[number], seen | {number}
    match made.kind:
        case "parameter":
            return _is_given(made, function, first)
        case "merged":
            return any(carries(function, source, first, seen) for source in made.sources)
        case "assign" | "declared" | "with":
            plain = made.value is not None and not made.unpack
            return plain and made.value is not None and stems(function, made.value, first, seen)
    return False
