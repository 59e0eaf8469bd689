"""What a fix takes for granted.

Law of this file: a fix with nothing to assume is safe; any other says what it assumes.
"""

from dataclasses import dataclass, field

from redis_guard.fixes.draft import Applicability
from redis_guard.project.model import Call
from redis_guard.repairs.afterwards import Afterwards
from redis_guard.repairs.lifetimes import Given, calls_something
from redis_guard.repairs.queued import answers_used
from redis_guard.repairs.written import Written


@dataclass(slots=True)
class Assumptions:
    """Sentences without a full stop, each of which has to be true."""

    said: list[str] = field(default_factory=list)

    def add(self, sentence: str, *, when: bool = True) -> None:
        if when:
            self.said.append(sentence)

    def verdict(self, title: str) -> tuple[str, Applicability]:
        """The title with what is assumed, and how far the fix goes."""
        if not self.said:
            return title, "safe"
        return f"{title}; assumes that {' and that '.join(self.said)}", "unsafe"


def of_moved_lifetime(write: Call, expiry: Written, given: Given, way: Afterwards) -> Assumptions:
    """What has to hold for the lifetime that `expiry` gives to stand in `write` instead."""
    assumed = Assumptions()
    assumed.add("the lifetime is positive, since SET refuses any other", when=not given.plain)
    assumed.add("nothing in between needs the key without its lifetime", when=bool(way.between))
    assumed.add("errors of both calls may be handled alike", when=way.tried)
    assumed.add(
        "no custom callback changes the commands",
        when="execute_command" in (write.method, expiry.call.method),
    )
    assumed.add(f"{write.receiver} is a Redis client", when=write.confidence == "guessed")
    same = write.client == expiry.call.client or write.receiver == expiry.call.receiver
    assumed.add("both calls mean one server and one order", when=not same)
    assumed.add(
        "what is called for the client and the key of the EXPIRE has no effects of its own",
        when=not way.branch and calls_something(expiry, given.time),
    )
    assumed.add(
        "nobody counts the answers of the pipeline",
        when=not way.branch and answers_used(expiry) is None,
    )
    return assumed
