"""A loop over `listen()` ends with the first broken connection.

What: messages of a subscription are read in a `for` loop over `listen()`, and no exception is handled around it.
Why it hurts: the client tries again a few times and then raises. The thread or task ends, the process lives on, and
nothing is ever heard again. What was published in the meantime is lost in any case.
Instead: catch `redis.ConnectionError` around the loop, wait, subscribe again, and read anew what messages only hint at.
The runtime's `signal(...).listen()` does all of it.
Fix: none; what to read again is a decision.
"""

from collections.abc import Iterator

from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_HANDLED = frozenset("ConnectionError RedisError OSError Exception BaseException TimeoutError".split())
_RETRIES = ("retry", "retries", "retrying", "backoff", "on_exception", "tenacity", "forever")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if module.test:
        return
    for call in module.calls:
        if (
            call.kind != "pubsub"
            or call.method != "listen"
            or call.result.use != "iterated"
        ):
            continue
        function = call.function
        handled = call.caught & _HANDLED or any(
            part in name.lower() for name in function.decorators for part in _RETRIES
        )
        # Whoever loops over a generator is the one to handle it.
        if not handled and not function.generator:
            yield at(
                call,
                "no exception is handled around this listen(): when the connection breaks for longer, the loop ends, "
                "and nothing is heard any more; catch redis.ConnectionError, subscribe again and read anew",
            )


RULE = Rule(
    code="RG707",
    name="pubsub-no-reconnect",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='messages = r.pubsub()\nmessages.subscribe("flags")\n'
            "for message in messages.listen():\n    print(message)",
            good='messages = r.pubsub()\nwhile True:\n    try:\n        messages.subscribe("flags")\n'
            "        for message in messages.listen():\n            print(message)\n"
            "    except redis.ConnectionError:\n        continue",
        ),
    ),
)
