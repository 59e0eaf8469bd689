"""Which publications hand out work."""

import pytest

from redis_guard.behaviour.work_channels import hands_out_work
from tests.project.seen import module


def judged(body: str, head: str = "f(job, kind, job_id)") -> bool:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    found = module(f"import json\ndef {head}:\n{lines}\n")
    (published,) = [call for call in found.calls if call.command == "PUBLISH"]
    return hands_out_work(published, found.of_function(published.function))


@pytest.mark.parametrize("channel", ['"jobs"', '"mail-queue"', '"resizeTasks"', 'f"{kind}:queue"', '"task"'])
def test_a_channel_that_is_named_after_work(channel: str) -> None:
    assert judged(f"r.publish({channel}, json.dumps(job))")


@pytest.mark.parametrize(
    "channel", ['"job_events"', '"taskDone"', 'f"job:{job_id}"', 'f"jobs:{job_id}"', '"prices"', "kind"]
)
def test_a_channel_that_is_not(channel: str) -> None:
    assert not judged(f"r.publish({channel}, json.dumps(job))")


def test_a_function_that_gives_work_to_a_channel_that_is_not_seen() -> None:
    assert judged("r.publish(kind, json.dumps(job))", "submit(job, kind)")
    assert not judged("r.publish(kind, json.dumps(job))", "tell(job, kind)")


@pytest.mark.parametrize(
    "body",
    [
        'r.rpush("jobs", json.dumps(job))\nr.publish("jobs", job_id)',
        'r.hset("job:1", "state", "new")\nr.publish("jobs", job_id)',
        'r.publish("jobs", "there are some")',
        'if r.publish("jobs", json.dumps(job)) == 0:\n    raise LookupError',
    ],
)
def test_a_hint_a_signal_and_a_checked_publication_are_right(body: str) -> None:
    assert not judged(body)
