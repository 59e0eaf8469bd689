"""Whether an expression may be None, by a way that the code itself writes down.

Law of this file: three answers. True on a way to None, False where the code rules it out, None where nothing is
said: a caller's value that nobody wrote down is unknown, not None.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Cond,
    Const,
    Def,
    Dict,
    Expr,
    Joined,
    Name,
    Scope,
    Seq,
    Sub,
    Unary,
    Walrus,
)
from redis_guard.project import classes
from redis_guard.project.constants import NUMBERS_OF
from redis_guard.project.inference import Inference
from redis_guard.project.narrowing import Narrowing
from redis_guard.project.origins import Origins, Source, Sources
from redis_guard.project.parameters import argument
from redis_guard.project.truth import Unknown
from redis_guard.project.values import ClassObject, Function, Instance, Plain, RedisObject, ScopeRef, Wrapped
from redis_guard.project.walk import dotted, every, last_name

_DEPTH = 10
_STEPS = 400
_CALL = 3
"""How much of the depth one call takes."""
_FUNCTIONS = 4
_RETURNS = 8
_NUMBERS = NUMBERS_OF | {"len", "min", "max", "sum", "timedelta", "ceil", "floor", "trunc"}
_LOOKUPS = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
_COMPUTED = frozenset({"property", "cached_property"})

Given = Mapping[tuple[str, int, str], bool | None]
"""Of the parameters of a function that a call goes through: whether the call may give them None."""
_NOBODY: Given = MappingProxyType({})


class Nullability:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, narrowing: Narrowing) -> None:
        self._inf = inf
        self._origins = origins
        self._narrowing = narrowing
        self._known: dict[int, bool | None] = {}
        self._steps = 0

    def may_be_none(self, path: str, scope: int, expr: Expr) -> bool | None:
        self._steps = 0
        return self._ask(path, scope, expr, _NOBODY, 0)

    def _ask(self, path: str, scope: int, expr: Expr, given: Given, depth: int) -> bool | None:
        """Answers that hang on a call's arguments are not remembered."""
        if not given and id(expr) in self._known:
            return self._known[id(expr)]
        self._steps += 1
        if depth > _DEPTH or self._steps > _STEPS:
            return None
        if given:
            return self._judged(path, scope, expr, given, depth)
        self._known[id(expr)] = None  # a value made of itself
        self._known[id(expr)] = self._judged(path, scope, expr, given, depth)
        return self._known[id(expr)]

    def _judged(self, path: str, scope: int, expr: Expr, given: Given, depth: int) -> bool | None:
        def inner(part: Expr) -> bool | None:
            return self._ask(path, scope, part, given, depth + 1)

        match expr:
            case Const(value=value):
                return value is None
            case Walrus(value=value) | Await(value=value):
                return inner(value)
            case Name() | Attr():
                return self._variable(path, scope, expr, given, depth)
            case Cond(body=body, orelse=orelse):
                return _any([inner(body), inner(orelse)])
            case Bool(op="or", right=right):
                return inner(right)
            case Bool(left=left, right=right):
                # what is false of the left side is 0 or None; the right side alone is certain to occur
                return _any([inner(left), inner(right)])
            case Bin() | Unary() | Joined() | Seq() | Dict():
                return False
            case Sub(value=base):
                return self._item(path, scope, base)
            case Call():
                return self._call(path, scope, expr, given, depth)
        return None

    # -- variables

    def _variable(
        self, path: str, scope: int, expr: Name | Attr, given: Given, depth: int
    ) -> bool | None:
        found = self._origins.sources(path, scope, expr)
        answers = []
        for source in found.found:
            answer = self._source(source, given, depth)
            if answer is not False and not self._narrowing.passes(path, scope, expr, None, _number(source, path)):
                answer = False
            answers.append(answer)
        if not (isinstance(expr, Name) and expr.defs) and any(answers):
            return self._shared(path, scope, expr, found, answers)
        return _any(answers)

    def _source(self, source: Source, given: Given, depth: int) -> bool | None:
        made = source.definition
        if source.expr is not None:
            return self._ask(source.path, source.scope, source.expr, given, depth + 1)
        if made is None:
            return None
        if made.kind == "parameter":
            key = (source.path, source.scope, made.name)
            return given[key] if key in given else self._parameter(source, made, depth)
        if made.kind == "declared" and self._scope(source).kind == "class" and made.annotation is not None:
            return True if optional(made.annotation) else None
        if made.kind == "function" and classes.decorators(self._scope_at(source.path, made.target)) & _COMPUTED:
            return self._returned(ScopeRef(source.path, made.target), _NOBODY, depth + _CALL)
        return None

    def _parameter(self, source: Source, made: Def, depth: int) -> bool | None:
        if self._scope(source).params[made.target].star:
            return False
        if made.annotation is not None and optional(made.annotation):
            return True
        if made.value is None:
            return None
        around = self._scope(source).parent
        return self._ask(source.path, around, made.value, _NOBODY, depth + 1) or None

    def _shared(
        self, path: str, scope: int, expr: Name | Attr, found: Sources, answers: list[bool | None]
    ) -> bool | None:
        """What other scopes may have set or tested by now: a None that waits to be replaced says nothing."""
        waiting = [
            source.expr is not None and isinstance(source.expr, Const) and source.expr.value is None
            for source in found.found
        ]
        if isinstance(expr, Attr):
            if not any(waiting) or any(a and not w for a, w in zip(answers, waiting, strict=True)):
                return True
            declared = [s.definition.annotation for s in found.found if s.definition is not None]
            if len(waiting) == 1 and any(note is not None and optional(note) for note in declared):
                return True
            return None if len(waiting) > 1 or not found.complete else True
        owner = self._origins.owner(path, scope, expr.id)
        facts = self._scope_at(path, 0 if owner is None else owner)
        if facts.kind in ("function", "lambda") and (len(answers) > 1 or _tested(facts, expr.id)):
            return None
        bound_by = {s.definition.scope for s in found.found if s.definition is not None and s.path == path}
        return None if any(waiting) and len(bound_by) > 1 else True

    def _scope(self, source: Source) -> Scope:
        return self._scope_at(source.path, source.scope)

    def _scope_at(self, path: str, scope: int) -> Scope:
        return self._inf.index.modules[path].scopes[scope]

    # -- lookups and calls

    def _item(self, path: str, scope: int, base: Expr) -> bool | None:
        """A value of a mapping that is written out with a None in it."""
        for origin in self._origins.trail(path, scope, base).origins:
            if isinstance(origin.expr, Dict) and any(
                isinstance(value, Const) and value.value is None for _, value in origin.expr.items
            ):
                return True
        return None

    def _call(self, path: str, scope: int, call: Call, given: Given, depth: int) -> bool | None:
        name = last_name(call.func)
        if name in _NUMBERS and not isinstance(call.func, Call):
            return False
        if name in ("get", "pop", "next", "getattr", "getenv") and call.args:
            if self._lookup(path, scope, call, name, given, depth):
                return True
        answers: list[bool | None] = []
        for value in self._inf.values(path, scope, call.func)[:_FUNCTIONS]:
            if isinstance(value.object, Function):
                function = self._inf.index.scope(value.object.ref)
                if "overload" not in classes.decorators(function):
                    passed = self._passed(path, scope, call, value.object, given, depth)
                    answers.append(self._returned(value.object.ref, passed, depth + _CALL))
        return _any(answers)

    def _lookup(
        self, path: str, scope: int, call: Call, name: str, given: Given, depth: int
    ) -> bool:
        """`.get(key)` of a mapping, and whatever has None for its default, as the call itself writes."""
        default = argument(call, 2 if name == "getattr" else 1, "default")
        if default is not None:
            return self._ask(path, scope, default, given, depth + 1) is True
        if dotted(call.func) in _LOOKUPS:
            return True
        plain = name == "get" and len(call.args) == 1 and not call.args[0].star
        return plain and isinstance(call.func, Attr) and self._is_mapping(path, scope, call.func.value)

    def _is_mapping(self, path: str, scope: int, base: Expr) -> bool:
        values = self._inf.values(path, scope, base)
        return bool(values) and all(
            (isinstance(v.object, Wrapped) and v.object.how == "mapping")
            or (isinstance(v.object, Plain) and v.object.type in _MAPPINGS)
            for v in values
        )

    def _passed(
        self, path: str, scope: int, call: Call, called: Function, given: Given, depth: int
    ) -> Given:
        """For each parameter of the function, whether this call may give it None."""
        ref = called.ref
        function = self._inf.index.scope(ref)
        shift = 1 if called.owner is not None and "staticmethod" not in classes.decorators(function) else 0
        hidden = any(arg.star for arg in call.args)
        passed: dict[tuple[str, int, str], bool | None] = {}
        for number, param in enumerate(function.params):
            value = argument(call, number - shift, param.name) if number >= shift else None
            if value is not None:
                answer = self._ask(path, scope, value, given, depth + 1)
            elif param.default is not None and not hidden:
                answer = self._ask(ref.path, function.parent, param.default, _NOBODY, depth + 1)
            else:
                answer = None
            passed[ref.path, ref.scope, param.name] = answer
        return passed

    def _returned(self, ref: ScopeRef, given: Given, depth: int) -> bool | None:
        function = self._inf.index.scope(ref)
        returns = [number for number, root in enumerate(function.roots) if root.use == "return"]
        if depth > _DEPTH or function.generator or len(returns) > _RETURNS:
            return None
        answers = [self._one_return(ref, function, number, given, depth) for number in returns]
        if _any(answers) is None and function.returns is not None and optional(function.returns):
            # where an answer hangs on what the caller passes, the annotation knows no better
            return None if self._hands_on(function, returns) else True
        return _any(answers)

    def _one_return(
        self, ref: ScopeRef, function: Scope, number: int, given: Given, depth: int
    ) -> bool | None:
        answer = self._ask(ref.path, ref.scope, function.roots[number].expr, given, depth + 1)
        for place, made in enumerate(function.defs):
            if made.kind != "parameter" or (passed := given.get((ref.path, ref.scope, made.name), True)) is True:
                continue
            if not self._narrowing.reaches(ref.path, ref.scope, number, place, Unknown.SOMETHING):
                # reached only with None in this parameter
                answer = False if passed is False else None
        return answer

    def _hands_on(self, function: Scope, returns: Iterable[int]) -> bool:
        names = {param.name for param in function.params}
        return any(
            isinstance(node, Name) and node.id in names for number in returns for node in every(function.roots[number].expr)
        )


def optional(annotation: Expr) -> bool:
    """Whether an annotation names None among the types."""
    match annotation:
        case Bin(op="|", left=left, right=right):
            return any(_is_none(side) or optional(side) for side in (left, right))
        case Sub(value=value, index=index):
            name = last_name(value)
            members = index.items if isinstance(index, Seq) else (index,)
            if name == "Union":
                return any(_is_none(member) or optional(member) for member in members)
            if name in ("Annotated", "Final", "ClassVar", "Mapped"):
                return optional(members[0])
            return name == "Optional"
    return False


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None


def _tested(facts: Scope, name: str) -> bool:
    return any(
        isinstance(node, Name) and node.id == name
        for root in facts.roots
        if root.use in ("test", "assert")
        for node in every(root.expr)
    )


def _number(source: Source, path: str) -> int:
    return source.number if source.path == path else -1


def _any(answers: Iterable[bool | None]) -> bool | None:
    known = list(answers)
    if any(known):
        return True
    return False if known and all(answer is False for answer in known) else None
