"""Work is handed over by PUBLISH.

What: a serialised payload is published on a channel that is named after jobs, tasks or a queue, and the function
keeps it nowhere.
Why it hurts: Pub/Sub keeps nothing. Whoever is not connected at that moment (a deployment, a restart, a short break of
the network) never hears of it, and PUBLISH says 0 and no more.
Instead: a stream with a consumer group, or a list; or keep the work elsewhere and publish only that there is some.
Fix: none; it is another design.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.families import channels
from redis_guard.project.keys import Key
from redis_guard.project.model import Argument, Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_WORK = re.compile(r"(^|[^a-z])(jobs?|tasks?|queues?|work|todos?|workload)($|[^a-z])", re.IGNORECASE)
_SERIALISED = frozenset(("dumps", "packb", "dumpb", "model_dump_json", "SerializeToString", "serialize"))


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if module.test:
        return
    for call in module.calls:
        if (
            call.facts is None
            or call.facts.family != "publish"
            or not _carries_work(call.argument("message"))
        ):
            continue
        channel = next((key for key in channels(call) if _WORK.search(key.literal)), None)
        if channel is not None and not _kept(module, call):
            yield at(call, _message(channel))


def _carries_work(message: Argument | None) -> bool:
    return message is not None and any(name.rpartition(".")[2] in _SERIALISED for name in message.calls)


def _kept(module: ModuleUses, published: Call) -> bool:
    """The same function writes something that outlives the message."""
    return any(
        call is not published
        and call.keys
        and call.facts is not None
        and call.facts.access in ("write", "both")
        for call in module.of_function(published.function)
    )


def _message(channel: Key) -> str:
    return (
        f"work is published on {channel.template}, and kept nowhere: whoever is not connected at that moment never "
        "hears of it; use a stream with a consumer group or a list, and publish only that there is something"
    )


RULE = Rule(
    code="RG706",
    name="pubsub-as-queue",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            setup="import json\n\nimport redis\n\nr = redis.Redis()\n",
            bad='r.publish("jobs:mail", json.dumps({"to": 7}))',
            good='r.xadd("jobs:mail", {"to": 7}, maxlen=10_000)\nr.publish("jobs:mail:new", "1")',
        ),
    ),
)
