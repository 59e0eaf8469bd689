"""A client or a pool is built on every call and never closed.

What: a function builds it, neither keeps it nor hands it on, and does not close it.
Why it hurts: each call opens a connection of its own and leaves it to the garbage collector; under load the
server runs out of connections.
Instead: build it once, at import or in a cached factory, or close it with `with`.
Fix: none; where the client should live is a decision.
"""

from collections.abc import Iterator

from redis_guard.project.model import Construction, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_NAMED = {"client": "a client with a pool of its own", "pool": "a connection pool"}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for built in module.constructions:
        if built.kind in _NAMED and _per_call(built) and not built.kept and not built.closed:
            yield at(built, _message(built))


def _per_call(built: Construction) -> bool:
    """In a function, but for `main`, which by custom runs once in a process."""
    return built.place.function.name != "main" and bool(built.place.function.qualname)


def _message(built: Construction) -> str:
    return (
        f"each call of {built.place.function.name}() builds {_NAMED[built.kind]} and never closes it, "
        "so connections pile up; build it once, or close it with `with`"
    )


RULE = Rule(
    code="RG104",
    name="client-per-call",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='def read(name):\n    return redis.Redis(host="cache").get(name)',
            good='def read(name):\n    with redis.Redis(host="cache") as r:\n        return r.get(name)',
            setup="import redis\n",
        ),
    ),
)
