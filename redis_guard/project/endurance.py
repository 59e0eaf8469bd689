"""What becomes of a loop over a call when the call fails: who catches the error, here or around those who call.

Law of this file: errors only. A task or a thread that is started hands its error to nobody.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Await, Call, Const, Construct, Expr, Name, Scope, Step
from redis_guard.project.callers import callers_of
from redis_guard.project.catching import caught_names
from redis_guard.project.inference import Inference
from redis_guard.project.tables import CallSite
from redis_guard.project.taken import Loop
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import every, last_name

_LEVELS = 3
"""Callers of callers beyond this many are not asked."""

_STARTING = frozenset(
    "create_task ensure_future run_coroutine_threadsafe start_soon spawn add_task Thread Process submit "
    "start_background_task create_background_task".split()
)


def loop_over(inf: Inference, path: str, number: int, expr: Expr) -> Loop | None:
    """The loop that `expr`, in that scope, is run through by; also where it was given a name before."""
    scope = inf.index.modules[path].scopes[number]
    for construct, made in enumerate(scope.constructs):
        if made.kind == "for" and made.roots and _is(scope, scope.roots[made.roots[0]].expr, expr):
            around = scope.roots[made.roots[0]].path
            caught = frozenset(_caught(scope, around))
            return Loop(
                caught | _outside(inf, ScopeRef(path, number), _LEVELS),
                any(
                    root.use == "return" and not _is_none(root.expr) and Step(construct, 0) in root.path
                    for root in scope.roots
                ),
            )
    return None


def _is(scope: Scope, iterated: Expr, expr: Expr) -> bool:
    if isinstance(iterated, Name) and len(iterated.defs) == 1:
        made = scope.defs[iterated.defs[0]]
        if made.kind == "assign" and made.value is not None and not made.unpack:
            iterated = made.value
    if (
        isinstance(iterated, Call)
        and last_name(iterated.func) in ("enumerate", "iter", "aiter")
        and iterated.args
    ):
        iterated = iterated.args[0].value
    return (iterated.value if isinstance(iterated, Await) else iterated) is expr


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None


def _caught(scope: Scope, path: tuple[Step, ...]) -> Iterator[str]:
    for step in path:
        made: Construct = scope.constructs[step.construct]
        if made.kind == "try" and step.arm == 0:
            yield from caught_names(made.catches)


def _outside(inf: Inference, ref: ScopeRef, levels: int) -> frozenset[str]:
    """What is caught around the calls of a function."""
    function = inf.index.scope(ref)
    if function.kind != "function" or not levels:
        return frozenset()
    caught: set[str] = set()
    for site, _ in callers_of(inf, ref, function):
        place = _place(inf, site)
        if place is not None:
            caught.update(_caught(inf.index.modules[site.path].scopes[site.scope], place))
            caught |= _outside(inf, ScopeRef(site.path, site.scope), levels - 1)
    return frozenset(caught)


def _place(inf: Inference, site: CallSite) -> tuple[Step, ...] | None:
    """Where the call stands whose error comes out there; None for one that is only started."""
    for root in inf.index.modules[site.path].scopes[site.scope].roots:
        parts = list(every(root.expr))
        if any(part is site.call for part in parts):
            started = any(
                isinstance(part, Call)
                and last_name(part.func) in _STARTING
                and any(inner is site.call for arg in part.args for inner in every(arg.value))
                for part in parts
            )
            return None if started else root.path
    return None
