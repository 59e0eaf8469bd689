"""Whether a call may give None: lookups without a default, functions of the project that return it.

Law of this file: a function that hands on its argument gives None where this call passes None, no other way.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from redis_guard.facts.model import Attr, Call, Expr, Name, Scope
from redis_guard.project import classes
from redis_guard.project.constants import NUMBERS_OF
from redis_guard.project.inference import Inference
from redis_guard.project.narrowing import Narrowing
from redis_guard.project.optional import optional, some_way
from redis_guard.project.parameters import argument
from redis_guard.project.truth import Unknown
from redis_guard.project.values import Function, Plain, ScopeRef, Wrapped
from redis_guard.project.walk import dotted, every, last_name

DEPTH = 10
CALL = 3
"""How much of the depth one call takes."""
_FUNCTIONS = 4
_RETURNS = 8
_NUMBERS = NUMBERS_OF | {"len", "min", "max", "sum", "timedelta", "ceil", "floor", "trunc"}
_WITH_DEFAULT = frozenset({"get", "pop", "next", "getattr", "getenv"})
_LOOKUPS = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})

Given: TypeAlias = Mapping[tuple[str, int, str], bool | None]
"""Of the parameters of a function that a call goes through: whether the call may give them None."""
NOBODY: Given = MappingProxyType({})
Ask: TypeAlias = Callable[[str, int, Expr, Given, int], bool | None]


class NoneOfCalls:
    """Answers over one project; `ask` answers for the expressions in a call and in a function."""

    def __init__(self, inf: Inference, narrowing: Narrowing, ask: Ask) -> None:
        self._inf = inf
        self._narrowing = narrowing
        self._ask = ask

    def of(self, path: str, scope: int, call: Call, given: Given, depth: int) -> bool | None:
        name = last_name(call.func)
        if name in _NUMBERS and not isinstance(call.func, Call):
            return False
        if name in _WITH_DEFAULT and call.args and self._lookup(path, scope, call, name, given, depth):
            return True
        answers: list[bool | None] = []
        for value in self._inf.values(path, scope, call.func)[:_FUNCTIONS]:
            if isinstance(value.object, Function):
                function = self._inf.index.scope(value.object.ref)
                if "overload" not in classes.decorators(function):
                    passed = self._passed(path, scope, call, value.object, given, depth)
                    answers.append(self.returned(value.object.ref, passed, depth + CALL))
        return some_way(answers)

    def _lookup(self, path: str, scope: int, call: Call, name: str | None, given: Given, depth: int) -> bool:
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

    def _passed(self, path: str, scope: int, call: Call, called: Function, given: Given, depth: int) -> Given:
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
                answer = self._ask(ref.path, function.parent, param.default, NOBODY, depth + 1)
            else:
                answer = None
            passed[ref.path, ref.scope, param.name] = answer
        return passed

    def returned(self, ref: ScopeRef, given: Given, depth: int) -> bool | None:
        function = self._inf.index.scope(ref)
        returns = [number for number, root in enumerate(function.roots) if root.use == "return"]
        if depth > DEPTH or function.generator or len(returns) > _RETURNS:
            return None
        answers = [self._one_return(ref, function, number, given, depth) for number in returns]
        if some_way(answers) is None and optional(function.returns):
            # where an answer hangs on what the caller passes, the annotation knows no better
            return None if self._hands_on(function, returns) else True
        return some_way(answers)

    def _one_return(
        self, ref: ScopeRef, function: Scope, number: int, given: Given, depth: int
    ) -> bool | None:
        answer = self._ask(ref.path, ref.scope, function.roots[number].expr, given, depth + 1)
        for place, made in enumerate(function.defs):
            if (
                made.kind != "parameter"
                or (passed := given.get((ref.path, ref.scope, made.name), True)) is True
            ):
                continue
            if not self._narrowing.reaches(ref.path, ref.scope, number, place, Unknown.SOMETHING):
                # reached only with None in this parameter
                answer = False if passed is False else None
        return answer

    def _hands_on(self, function: Scope, returns: Iterable[int]) -> bool:
        names = {param.name for param in function.params}
        read = (node for number in returns for node in every(function.roots[number].expr))
        return any(isinstance(node, Name) and node.id in names for node in read)
