"""Places and outcomes of one module's expressions: functions, arms, order.

Law of this file: computed from facts alone, once a scope, when first asked.
"""

from redis_guard.facts.model import Expr, ModuleFacts, Name, Scope
from redis_guard.project import model
from redis_guard.project.outcomes import Outcomes
from redis_guard.project.walk import every, last_name, parts


class Places:
    """Answers for one module."""

    def __init__(self, module: ModuleFacts) -> None:
        self._module = module
        self._functions: dict[int, model.Function] = {}
        self._outcomes: dict[int, Outcomes] = {}
        self._ranks: dict[tuple[int, int], dict[int, int]] = {}

    def function(self, number: int) -> model.Function:
        if number not in self._functions:
            scope = self._module.scopes[number]
            enclosing, cls = self._around(number)
            self._functions[number] = model.Function(
                self._module.path,
                number,
                scope.name,
                scope.qualname,
                scope.asynchronous,
                scope.generator,
                frozenset(name for mark in scope.decorators if (name := last_name(mark))),
                cls,
                tuple(param.name for param in scope.params),
                enclosing,
            )
        return self._functions[number]

    def _around(self, number: int) -> tuple[tuple[int, ...], str | None]:
        found: list[int] = []
        cls: str | None = None
        parent = self._module.scopes[number].parent
        while parent >= 0:
            found.append(parent)
            if cls is None and self._module.scopes[parent].kind == "class":
                cls = self._module.scopes[parent].qualname
            parent = self._module.scopes[parent].parent
        return tuple(found), cls

    def outcomes(self, number: int) -> Outcomes:
        if number not in self._outcomes:
            self._outcomes[number] = Outcomes(self._module.scopes[number], self._read_by_inner(number))
        return self._outcomes[number]

    def _read_by_inner(self, number: int) -> frozenset[str]:
        """Names that scopes inside this one read from outside themselves."""
        names: set[str] = set()
        for inner, scope in enumerate(self._module.scopes):
            if number in self.function(inner).enclosing:
                names.update(_free_names(scope))
        return frozenset(names)

    def place(self, number: int, root: int, expr: Expr) -> model.Place:
        scope = self._module.scopes[number]
        if root < 0:
            return model.Place(self.function(number), 0, (), -1)
        steps = scope.roots[root].path
        arms = []
        for step in steps:
            construct = scope.constructs[step.construct]
            ends = construct.ends[step.arm] if step.arm < len(construct.ends) else False
            arms.append(
                model.Arm(
                    step.construct, construct.kind, step.arm, len(construct.ends), ends, construct.line,
                    construct.has_finally,
                )
            )  # fmt: skip
        return model.Place(
            self.function(number), root * 1000 + self.rank(number, root, expr), tuple(arms), root
        )

    def rank(self, number: int, root: int, expr: Expr) -> int:
        """The turn of `expr` among the parts of its root: what is evaluated first comes first."""
        if root < 0:
            return 0
        key = (number, root)
        if key not in self._ranks:
            self._ranks[key] = {
                id(node): turn
                for turn, node in enumerate(_evaluation(self._module.scopes[number].roots[root].expr))
            }
        return min(self._ranks[key].get(id(expr), 999), 999)


def _evaluation(expr: Expr) -> list[Expr]:
    """Parts before the whole: a call happens after its receiver and its arguments are known."""
    found: list[Expr] = []
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, done = stack.pop()
        if done:
            found.append(node)
            continue
        stack.append((node, True))
        stack.extend((part, False) for part in reversed(parts(node)))
    return found


def _free_names(scope: Scope) -> set[str]:
    return {
        node.id
        for root in scope.roots
        for node in every(root.expr)
        if isinstance(node, Name) and not node.defs
    }
