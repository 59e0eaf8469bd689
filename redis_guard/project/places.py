"""Places and outcomes of one module's expressions: functions, arms, order.

Law of this file: computed from facts alone, once a scope, when first asked.
"""

from collections.abc import Collection, Sequence

from redis_guard.facts.model import Expr, ModuleFacts
from redis_guard.project import model
from redis_guard.project.outcomes import Outcomes
from redis_guard.project.walk import last_name, parts


class Places:
    """Answers for one module."""

    def __init__(self, module: ModuleFacts, free: Sequence[Collection[str]]) -> None:
        """`free` has for every scope the names it reads from outside itself."""
        self._module = module
        self._hidden: list[set[str]] = [set() for _ in free]
        """For every scope the names that scopes inside it read from outside themselves."""
        for inner, names in enumerate(free):
            outer = module.scopes[inner].parent
            while names and outer >= 0:
                self._hidden[outer].update(names)
                outer = module.scopes[outer].parent
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
            self._outcomes[number] = Outcomes(self._module.scopes[number], self._hidden[number])
        return self._outcomes[number]

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
