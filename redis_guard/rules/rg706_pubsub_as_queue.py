"""Work is published on a channel.

What: PUBLISH hands out tasks or jobs (by the names of the channel, the function and the message), and the same function
keeps them nowhere in Redis.
Why it hurts: pub/sub keeps nothing. A task is lost when no worker listens at that moment, during every restart and
every lost connection; and with two workers each does all of them.
Instead: put work into a list or a stream with a consumer group, or hand it to a task queue; publish at most a hint that
there is some.
Events, results, progress and other news are what channels are for; messages that are constant carry no work.
Fix: none; a queue needs another reader too.
"""

from collections.abc import Iterator

from redis_guard.behaviour.wording import on_subject
from redis_guard.behaviour.work_channels import hands_out_work
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.command in ("PUBLISH", "SPUBLISH") and hands_out_work(
            call, module.of_function(call.function)
        ):
            yield at(call, _message(call))


def _message(call: Call) -> str:
    return (
        f"work is published{on_subject(call)}: nobody keeps it, so it is lost when no worker listens at that moment, "
        "and done by each that does; put it into a stream or a list, and publish at most a hint"
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
            bad='r.publish("jobs", json.dumps(job))',
            good="resize.delay(job)",
            setup="import json\n\nimport redis\nfrom app.tasks import resize\n\nr = redis.Redis()\njob = 7\n",
        ),
    ),
)
