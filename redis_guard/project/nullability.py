"""Whether an expression may be None, by a way that the code itself writes down.

Law of this file: three answers. True on a way to None, False where the code rules it out, None where nothing is
said: a caller's value that nobody wrote down is unknown, not None.
"""

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
from redis_guard.project.inference import Inference
from redis_guard.project.narrowing import Narrowing
from redis_guard.project.none_of_calls import CALL, DEPTH, NOBODY, Given, NoneOfCalls
from redis_guard.project.optional import optional, some_way
from redis_guard.project.origins import Origins, Source, Sources
from redis_guard.project.truth import Unknown, outcomes
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import every, text

_STEPS = 400
_COMPUTED = frozenset({"property", "cached_property"})


class Nullability:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, narrowing: Narrowing) -> None:
        self._inf = inf
        self._origins = origins
        self._narrowing = narrowing
        self._known: dict[int, bool | None] = {}
        self._steps = 0
        self._calls = NoneOfCalls(inf, narrowing, self._ask)

    def may_be_none(self, path: str, scope: int, expr: Expr) -> bool | None:
        self._steps = 0
        return self._ask(path, scope, expr, NOBODY, 0)

    def _ask(self, path: str, scope: int, expr: Expr, given: Given, depth: int) -> bool | None:
        """Answers that hang on a call's arguments are not remembered."""
        if not given and id(expr) in self._known:
            return self._known[id(expr)]
        self._steps += 1
        if depth > DEPTH or self._steps > _STEPS:
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
            case Cond():
                return self._chosen(path, scope, expr, given, depth)
            case Bool(op="or", right=right):
                return inner(right)
            case Bool(left=left, right=right):
                # what is false of the left side is 0 or None; the right side alone is certain to occur
                return some_way([inner(left), inner(right)])
            case Bin() | Unary() | Joined() | Seq() | Dict():
                return False
            case Sub(value=base):
                return self._item(path, scope, base)
            case Call():
                return self._calls.of(path, scope, expr, given, depth)
        return None

    def _chosen(self, path: str, scope: int, expr: Cond, given: Given, depth: int) -> bool | None:
        """One of two, where `None if x is None else …` gives None only for an x that may be None."""
        answers = []
        for part, wanted in ((expr.body, True), (expr.orelse, False)):
            answer = self._ask(path, scope, part, given, depth + 1)
            for node in every(expr.test) if answer else ():
                if not isinstance(node, (Name, Attr)):
                    continue
                known = self._ask(path, scope, node, given, depth + 1)
                unclear = known is None and bool(given)
                if known is False or unclear:
                    variable = self._narrowing.body(path, scope).variable(text(node), -1)
                    if wanted not in outcomes(expr.test, variable, Unknown.SOMETHING):
                        answer = None if unclear else False
            answers.append(answer)
        return some_way(answers)

    # -- variables

    def _variable(self, path: str, scope: int, expr: Name | Attr, given: Given, depth: int) -> bool | None:
        found = self._origins.sources(path, scope, expr)
        answers = []
        for source in found.found:
            answer = self._source(source, given, depth)
            number = source.number if source.path == path else -1
            possible = answer is not False and self._narrowing.passes(path, scope, expr, None, number)
            answers.append(answer if possible else False)
        if not (isinstance(expr, Name) and expr.defs) and any(answers):
            return self._shared(path, scope, expr, found, answers)
        return some_way(answers)

    def _source(self, source: Source, given: Given, depth: int) -> bool | None:
        made = source.definition
        if made is not None and self._scope(source).kind == "class" and optional(made.annotation):
            # a field may be given another value than the one it is declared with
            return True
        if source.expr is not None:
            return self._ask(source.path, source.scope, source.expr, given, depth + 1)
        if made is None:
            return None
        if made.kind == "parameter":
            key = (source.path, source.scope, made.name)
            return given[key] if key in given else self._parameter(source, made, depth)
        if (
            made.kind == "function"
            and classes.decorators(self._scope_at(source.path, made.target)) & _COMPUTED
        ):
            return self._calls.returned(ScopeRef(source.path, made.target), NOBODY, depth + CALL)
        return None

    def _parameter(self, source: Source, made: Def, depth: int) -> bool | None:
        if self._scope(source).params[made.target].star:
            return False
        if optional(made.annotation):
            return True
        if made.value is None:
            return None
        around = self._scope(source).parent
        return self._ask(source.path, around, made.value, NOBODY, depth + 1) or None

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
            declared = any(
                s.definition is not None and optional(s.definition.annotation) for s in found.found
            )
            return True if len(waiting) == 1 and (declared or found.complete) else None
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

    # -- lookups

    def _item(self, path: str, scope: int, base: Expr) -> bool | None:
        """A value of a mapping that is written out with a None in it."""
        for origin in self._origins.trail(path, scope, base).origins:
            if isinstance(origin.expr, Dict) and any(
                isinstance(value, Const) and value.value is None for _, value in origin.expr.items
            ):
                return True
        return None


def _tested(facts: Scope, name: str) -> bool:
    return any(
        isinstance(node, Name) and node.id == name
        for root in facts.roots
        if root.use in ("test", "assert")
        for node in every(root.expr)
    )
