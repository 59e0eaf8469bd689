"""What is done under a lock takes longer than its lease.

What: the constant sleeps, and the constant timeouts of requests, subprocesses and waits, come to more than the
constant lifetime of the lock that is held meanwhile, and nothing extends it. Loops of a known count are counted.
Why it hurts: the lock ends while its holder still works, and the next one begins: two do what only one may. The
release then raises LockNotOwnedError.
Instead: a lease longer than the longest the work can take, shorter work, or a lock use case of the registry, whose
lease is renewed.
Fix: none; the lease is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.lasting import Longest, longest
from redis_guard.behaviour.locks import RENEWING, acquires, during, lease, name_of, within
from redis_guard.finding import Span
from redis_guard.project.model import Held, ModuleUses, Work
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at_lock


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for held in module.held:
        seconds = lease(held)
        if seconds is None or held.handed_on or any(use.method in RENEWING for use in held.uses):
            continue
        for around, span, work in _stretches(held):
            found = longest(work, around)
            if found is not None and found.exceeds(seconds):
                yield at_lock(held, span, _message(held, seconds, found, registry), (found.span, found.text))


def _stretches(held: Held) -> Iterator[tuple[frozenset[int], Span, tuple[Work, ...]]]:
    """Each time the lock is taken: the constructs around that, where to say it, and what is done meanwhile."""
    made = next((making.span for making in held.makings if making.path == held.path), None)
    for construct in held.entered:
        work = within(held, construct)
        if work:
            arms = [arm.construct for arm in work[0].place.path]
            yield frozenset(arms[: arms.index(construct) + 1]), made or work[0].span, work
    for taking in acquires(held):
        around = frozenset(arm.construct for arm in taking.place.path)
        yield around, made or taking.span, during(held, taking)


def _message(held: Held, seconds: float, found: Longest, registry: Registry) -> str:
    takes = "takes" if found.sleeps else "may take"
    return (
        f"lock {name_of(held, registry)} ends after {seconds:g} s, but what is done under it {takes} "
        f"{found.seconds:g} s ({found.text}): the next holder begins before this one is done. "
        "Give it a longer lease, or extend it"
    )


RULE = Rule(
    code="RG307",
    name="lock-work-exceeds-ttl",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='with r.lock("slow", timeout=5):\n    time.sleep(30)',
            good='with r.lock("slow", timeout=60):\n    time.sleep(30)',
            setup="import time\n\nimport redis\n\nr = redis.Redis()\n",
        ),
    ),
)
