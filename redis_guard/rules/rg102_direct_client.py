"""A client or a connection pool is built outside the modules that may.

What: a client class, `from_url`, a connection pool or a Sentinel is called; a pool that is passed straight
into a client counts once, with the client.
Why it hurts: timeouts, retries, pool size and credentials are decided once more, and drift apart.
Instead: take the client from the one module that configures connections; the configuration allows that one.
Fix: none; which client is meant is a decision.
"""

from collections.abc import Iterator

from redis_guard.finding import Span
from redis_guard.project.model import Construction, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_NAMED = {"client": "a client", "pool": "a connection pool", "sentinel": "a Sentinel client"}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    spans = [built.span for built in module.constructions if built.kind in _NAMED]
    for built in module.constructions:
        if built.kind in _NAMED and not any(_inside(built.span, span) for span in spans):
            yield at(built, _message(built))


def _inside(inner: Span, outer: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return inner != outer and begins and ends


def _message(built: Construction) -> str:
    return (
        f"{built.text}() builds {_NAMED[built.kind]} here, so its timeouts, retries and pool are decided apart "
        "from the rest; take it from the module that configures connections"
    )


RULE = Rule(
    code="RG102",
    name="direct-client",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r = redis.Redis(host="cache")',
            good="r = get_redis()",
            setup="import redis\nfrom app.clients import get_redis\n",
        ),
    ),
)
