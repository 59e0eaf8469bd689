"""WATCH is used, and nobody is ready for the case that it was made for.

What: a pipeline watches a key and executes a MULTI, and `WatchError` is caught neither around it nor around the
calls of its function.
Why it hurts: WATCH only tells that somebody else was faster, by an exception. Uncaught it is a failed request exactly
when there is competition, which is never in a test and always at the worst hour.
Instead: catch `redis.WatchError` and begin again, a bounded number of times; or `client.transaction(body, key)`, which
does; or a Lua script, which needs neither.
Fix: a loop around the block of the pipeline that tries again (unsafe), where WATCH begins the block and EXECUTE ends
it.
"""

from collections.abc import Iterator

from redis_guard.behaviour.telling import named
from redis_guard.project.flow import can_follow
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.watched_again import WatchedAgain
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_CATCHES = frozenset(("WatchError", "RedisError", "Exception", "BaseException"))
_RETRIES = ("retry", "retries", "retrying", "backoff", "on_exception", "tenacity", "attempt")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for watch in module.calls:
        if watch.method != "watch" or watch.kind != "pipeline" or watch.pipeline is None or _retried(watch):
            continue
        sent = next((call for call in module.of_function(watch.function) if _sends(watch, call)), None)
        outside = watch.caught_by_callers
        if sent is not None and outside is not None and not (sent.caught | outside) & _CATCHES:
            message = (
                f"{named(watch.key, registry)} is watched, and WatchError is not caught: when somebody else writes it "
                "first, this fails instead of trying again; catch it in a bounded loop, or use client.transaction()"
            )
            yield at(watch, message, (sent, "raises WatchError"), repair=WatchedAgain(watch, sent))


def _sends(watch: Call, call: Call) -> bool:
    return call.method == "execute" and call.client == watch.client and can_follow(watch.place, call.place)


def _retried(watch: Call) -> bool:
    names = (*watch.function.decorators, *(context.text for context in watch.contexts))
    return any(part in name.lower() for name in names for part in _RETRIES)


RULE = Rule(
    code="RG211",
    name="watch-without-retry",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='with r.pipeline() as pipe:\n    pipe.watch("stock")\n    left = int(pipe.get("stock"))\n'
            '    pipe.multi()\n    pipe.set("stock", left - 1, ex=60)\n    pipe.execute()',
            good="def take(pipe):\n"
            '    left = int(pipe.get("stock"))\n    pipe.multi()\n    pipe.set("stock", left - 1, ex=60)\n\n\n'
            'r.transaction(take, "stock")',
            by_hand=True,
        ),
    ),
)
