"""Functions that give back nothing but what they are given: `def text(s): return s.decode()`.

Law of this file: what may have another source has one. Who calls an echo without a Redis object gets none from it.
"""

import sys

from redis_guard.facts.model import Const, Expr, Lambda, Name
from redis_guard.project.inference import Inference
from redis_guard.project.values import Function, Library, Plain, ScopeRef, Values, has_redis
from redis_guard.project.walk import every

_REACHING = frozenset(
    "builtins.__import__ builtins.eval builtins.globals builtins.locals builtins.super builtins.vars".split()
)


class Echoes:
    """Answers over the loaded modules of one round."""

    def __init__(self, inf: Inference) -> None:
        self._inf = inf
        self._functions: dict[ScopeRef, bool] = {}
        self._definitions: dict[tuple[str, int, int], bool] = {}

    def is_echo(self, ref: ScopeRef) -> bool:
        """Whether everything that the function returns or yields comes from its arguments."""
        if ref not in self._functions:
            self._functions[ref] = True  # a function that calls itself adds nothing by that
            self._functions[ref] = self._only_echoes(ref)
        return self._functions[ref]

    def _only_echoes(self, ref: ScopeRef) -> bool:
        scope = self._inf.index.scope(ref)
        if self._inf.index.modules[ref.path].scopes[scope.parent].kind == "class":
            return False
        if scope.returns is not None and has_redis(
            self._inf.annotation(ref.path, scope.parent, scope.returns)
        ):
            return False
        given = [root.expr for root in scope.roots if root.use == "return"]
        given += [produced.value for produced in self._inf.yields(ref) if produced.value is not None]
        return all(self._expression(ref.path, ref.scope, expr) for expr in given)

    def _expression(self, path: str, scope: int, expr: Expr) -> bool:
        for node in every(expr):
            if isinstance(node, Lambda):
                return False
            if isinstance(node, Name) and not self._name(path, scope, node):
                return False
        return True

    def _name(self, path: str, scope: int, name: Name) -> bool:
        if name.defs:
            return all(self._definition(path, scope, number) for number in name.defs)
        scopes = self._inf.index.modules[path].scopes
        owner = scopes[scope].parent
        while owner > 0:
            numbers = self._inf.index.definitions(path, owner).get(name.id)
            if numbers and scopes[owner].kind != "class":
                return all(self._definition(path, owner, number) for number in numbers)
            owner = scopes[owner].parent
        return self._harmless(self._inf.free_name(path, scope, name.id))

    def _definition(self, path: str, scope: int, number: int) -> bool:
        key = (path, scope, number)
        if key not in self._definitions:
            self._definitions[key] = True  # a variable that is bound to itself
            self._definitions[key] = self._bound(path, scope, number)
        return self._definitions[key]

    def _bound(self, path: str, scope: int, number: int) -> bool:
        scopes = self._inf.index.modules[path].scopes
        made = scopes[scope].defs[number]
        outside = scopes[scope].parent if made.kind == "parameter" else made.scope
        if made.annotation is not None and has_redis(self._inf.annotation(path, outside, made.annotation)):
            return False
        match made.kind:
            case "parameter":
                parent = scopes[scope].parent
                plain = made.value is None or isinstance(made.value, Const)
                return plain and scopes[parent].kind != "class"
            case "assign" | "augmented" | "declared" | "for" | "with":
                return made.value is None or self._expression(path, made.scope, made.value)
            case "merged":
                return all(self._definition(path, scope, source) for source in made.sources)
            case "import":
                return self._harmless(self._inf.definition(path, scope, number))
            case "function":
                return self.is_echo(ScopeRef(path, made.target))
            case "except" | "deleted":
                return True
        return False

    def _harmless(self, values: Values) -> bool:
        for value in values:
            match value.object:
                case Plain():
                    pass
                case Library(name=name) if name not in _REACHING:
                    root = name.partition(".")[0]
                    if root == "importlib" or not (root == "builtins" or root in sys.stdlib_module_names):
                        return False
                case Function(ref=ref):
                    if not self.is_echo(ref):
                        return False
                case _:
                    return False
        return True
