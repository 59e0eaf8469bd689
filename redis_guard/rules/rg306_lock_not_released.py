"""A lock is not released when something fails.

What: `acquire()` and `release()` stand in one function, and what is done between them can raise past the
release; or the release in a `finally` depends on something that has nothing to do with the lock.
Why it hurts: the lock stays taken until its lease ends, and for ever if it has none; everybody else waits for
nothing.
Instead: `with lock:`, or `try: … finally: lock.release()` right after acquire().
Fix: unsafe. Where one acquire() and one release() frame the work, it goes into a `with`, or into a `try` whose
`finally` releases; else none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.locks import (
    acquires,
    during,
    lease,
    left_to_chance,
    may_fail,
    name_of,
    passes_by,
    releases,
    surely_given_back,
)
from redis_guard.project.flow import can_follow
from redis_guard.project.model import Held, LockUse, ModuleUses, Work
from redis_guard.registry import Registry
from redis_guard.repairs.released_always import ReleasedAlways
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at_lock


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for held in module.held:
        if held.handed_on:
            continue
        for taking in acquires(held):
            if (work := _lost(held, taking)) is not None:
                back = next(use for use in releases(held) if can_follow(work.place, use.place))
                said = (work.span, "an exception here passes by the release"), (back.span, "released here")
                message = _message(held, work, registry)
                yield at_lock(
                    held, taking.span, message, *said, method="acquire", repair=_repair(held, taking)
                )
            elif (chance := left_to_chance(held, taking)) is not None:
                release, test = chance
                message = (
                    f"lock {name_of(held, registry)} is released only if `{test}`: otherwise it stays taken "
                    f"{_until(held)}. Release it on every way, or hand it to what releases it"
                )
                yield at_lock(held, release.span, message, (taking.span, "taken here"), method="release")


def _lost(held: Held, taking: LockUse) -> Work | None:
    """The first thing done that can raise past every release."""
    if not surely_given_back(held, taking):
        return None  # kept for the whole lease on some ways: so it is meant
    return next((work for work in during(held, taking) if not work.quick and passes_by(held, work)), None)


def _repair(held: Held, taking: LockUse) -> ReleasedAlways | None:
    back, taken = releases(held), tuple(acquires(held))
    if len(back) != 1 or len(taken) != 1 or held.entered:
        return None
    sure = bool(held.makings) and held.all_makings and may_fail(held, taking) is None
    return ReleasedAlways(held, taking, back[0], sure)


def _until(held: Held) -> str:
    seconds = lease(held)
    return "until its lease ends" if seconds is None else f"for up to {seconds:g} s"


def _message(held: Held, work: Work, registry: Registry) -> str:
    return (
        f"lock {name_of(held, registry)} stays taken {_until(held)} when {work.text} raises: "
        "the release is not reached. Use `with`, or release in a `finally`"
    )


RULE = Rule(
    code="RG306",
    name="lock-not-released",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad="gate.acquire()\nrebuild()\ngate.release()",
            good="with gate:\n    rebuild()",
            setup='import redis\n\nr = redis.Redis()\ngate = r.lock("rebuild", timeout=60)\n',
        ),
    ),
)
