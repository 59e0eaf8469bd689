"""What a function of the project gives by its annotations and its body.

Law of this file: an annotation that names a Redis object is believed; the body is asked where none does.
"""

from collections.abc import Callable

from redis_guard.facts.model import Const, Expr
from redis_guard.project import classes
from redis_guard.project.annotations import believed
from redis_guard.project.asking import Asker
from redis_guard.project.library import CONTEXT_DECORATORS
from redis_guard.project.values import NOTHING, ScopeRef, Values, Wrapped, has_redis, join, one, through

Evaluate = Callable[[Expr], Values]
"""Answers for the expressions of one scope."""


def returned(inf: Asker, ref: ScopeRef, evaluate: Evaluate | None = None) -> Values:
    """What calling the function gives, wrapped as its kind says; `evaluate` is one call's view of its body."""
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
    for produced in () if held else inf.yields(ref):
        if produced.value is not None:
            given = give(produced.value)
            if produced.delegates:
                given = inf.elements(ref.path, ref.scope, None, given)
            held = join(held, given)
    entered_into = classes.decorators(function) & CONTEXT_DECORATORS
    return Wrapped("context" if entered_into else "iterator", held, function.asynchronous)
