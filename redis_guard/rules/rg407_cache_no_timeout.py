"""A Django cache entry is kept for ever.

What: `cache.set()` and its kin are given `timeout=None`, which does not mean the default but no end.
Why it hurts: what is cached for ever is never fresh again, and with Redis behind the cache it is memory that no one
gives back.
Instead: leave `timeout` out for the default of the settings, or say how long. What is meant to stay is declared: a
keyspace of the registry with `ttl: none` and a reason.
Fix: none; how long is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.registered import may_stay
from redis_guard.project.model import CacheCall, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_KEEPS = frozenset(("set", "add", "get_or_set", "set_many", "touch"))


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for entry in module.cache_calls:
        timeout = entry.argument("timeout")
        forever = timeout is not None and timeout.constants == (None,)
        if entry.method in _KEEPS and forever and not may_stay(entry.key, registry):
            yield at(entry, _message(entry))


def _message(entry: CacheCall) -> str:
    what = entry.key.template if entry.key is not None and entry.key.pieces else "the entry"
    return f"timeout=None keeps {what} in the cache for ever; leave it out for the default, or say how long"


RULE = Rule(
    code="RG407",
    name="cache-no-timeout",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            setup="from django.core.cache import cache\n",
            bad='cache.set("prefs:7", {}, timeout=None)',
            good='cache.set("prefs:7", {}, timeout=86_400)',
        ),
    ),
)
