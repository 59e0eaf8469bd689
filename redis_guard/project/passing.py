"""Which functions may give back what they are given: `def tuned(c): c.x = 1; return c`.

Law of this file: by what the function's own statements say; who calls it, and what calls in it give, is not asked.
"""

from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from redis_guard.facts.model import Attr, Await, Bool, Call, Cond, Expr, Name, Scope, Walrus


class Passing(NamedTuple):
    """How parameters get to the result, in definitions of the function's scope."""

    parameters: tuple[int, ...] = ()
    """Those that the result may be, or that calls may make it of."""
    carrying: frozenset[int] = frozenset()
    """Variables that may be what a parameter was given, parameters included."""
    tied: tuple[int, ...] = ()
    """Parameters annotated with the bare name that the result is annotated with."""


def passing(function: Scope, results: Sequence[Expr], receivers: int) -> Passing:
    """`results` are what it returns or yields, `receivers` how many first parameters are its object or class."""
    given = {
        number
        for number, made in enumerate(function.defs)
        if made.kind == "parameter" and made.target >= receivers and not function.params[made.target].star
    }
    if not given:
        return Passing()
    carrying = _carrying(function, given)
    reached = _reached(function, results, carrying)
    return Passing(tuple(sorted(reached & given)), frozenset(carrying), _tied(function, given))


def sources(expr: Expr) -> Iterable[int]:
    """Definitions of the variables that an expression may be, or that calls may make it of."""
    waiting = [expr]
    while waiting:
        match waiting.pop():
            case Name(defs=defs):
                yield from defs
            case Walrus(value=value) | Await(value=value) | Attr(value=value):
                waiting.append(value)
            case Cond(body=left, orelse=right) | Bool(left=left, right=right):
                waiting += (left, right)
            case Call(func=func, args=args):
                waiting.append(func)
                waiting += (arg.value for arg in args)


def _bound_to(function: Scope) -> dict[int, tuple[int, ...]]:
    """Of variables, the definitions that they may have their value from."""
    found: dict[int, tuple[int, ...]] = {}
    for number, made in enumerate(function.defs):
        if made.kind == "merged":
            found[number] = made.sources
        elif made.kind in ("assign", "declared", "with") and made.value is not None and not made.unpack:
            found[number] = tuple(sources(made.value))
    return found


def _carrying(function: Scope, given: Set[int]) -> set[int]:
    users: dict[int, list[int]] = {}
    for number, origins in _bound_to(function).items():
        for origin in origins:
            users.setdefault(origin, []).append(number)
    return _closure(given, users)


def _reached(function: Scope, results: Sequence[Expr], carrying: Set[int]) -> set[int]:
    """What of the carrying variables the results may be."""
    begun = {number for expr in results for number in sources(expr)} & carrying
    return _closure(begun, _bound_to(function) if begun else {}) & carrying


def _closure(begun: Set[int], steps: dict[int, list[int]] | dict[int, tuple[int, ...]]) -> set[int]:
    found, waiting = set(begun), list(begun)
    while waiting:
        for number in steps.get(waiting.pop(), ()):
            if number not in found:
                found.add(number)
                waiting.append(number)
    return found


def _tied(function: Scope, given: Set[int]) -> tuple[int, ...]:
    if not isinstance(function.returns, Name) or function.generator:
        return ()
    annotations = ((number, function.defs[number].annotation) for number in sorted(given))
    return tuple(
        number for number, said in annotations if isinstance(said, Name) and said.id == function.returns.id
    )
