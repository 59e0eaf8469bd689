"""What a lock object was told, when it is held, and whether it is given back.

Law of this file: what cannot be seen (a lock made elsewhere, a star argument, a lock that is handed on) proves
nothing against the code.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.telling import named
from redis_guard.project.flow import can_follow
from redis_guard.project.model import Argument, Held, LockUse, Making, Work
from redis_guard.project.taken import Guard
from redis_guard.registry import Registry

_OF_SOMETHING = re.compile(r"(?:not )?([A-Za-z_]\w*)(?:\.\w+)+")
RENEWING = frozenset({"extend", "reacquire"})


def name_of(held: Held, registry: Registry) -> str:
    """The key that is locked, with its entry of the registry; or the lock as written."""
    names = [name.key for making in held.makings if (name := making.argument("name", "key")) is not None]
    one = len({key.template for key in names}) == 1
    return named(names[0] if one else None, registry, held.text)


def acquires(held: Held) -> Iterator[LockUse]:
    """The calls of `acquire()`."""
    return (use for use in held.uses if use.method == "acquire")


def releases(held: Held) -> tuple[LockUse, ...]:
    """The calls of `release()`."""
    return tuple(use for use in held.uses if use.method in ("release", "reset"))


def lease(held: Held) -> float | None:
    """The longest lease in seconds, where every making gives a constant one."""
    if not held.makings or not held.all_makings:
        return None
    found = [_seconds(making) for making in held.makings]
    known = [one for one in found if one is not None]
    return max(known) if len(known) == len(found) else None


def _seconds(making: Making) -> float | None:
    given = making.argument("timeout", "expire")
    renewed = making.argument("auto_renewal")
    if given is None or making.opaque or (renewed is not None and renewed.constants != (False,)):
        return None
    if given.milliseconds is not None:
        return given.milliseconds / 1000
    numbers = [one for one in given.constants or () if isinstance(one, (int, float))]
    complete = given.constants is not None and len(numbers) == len(given.constants)
    # no lease at all ends never
    return max(numbers) if numbers and complete and min(numbers) > 0 else None


def may_fail(held: Held, taking: LockUse) -> str | None:
    """Why `acquire()` can come back without the lock, in words; None where it waits for ever, or nobody knows."""
    if _off(taking.argument("blocking")):
        return "does not wait"
    limit = taking.argument("blocking_timeout") or taking.argument("timeout")
    if _limits(limit):
        return "waits for a limited time"
    if limit is not None or taking.argument("blocking") is not None:
        return None
    for making in held.makings:
        if making.library != "redis_lock" and _off(making.argument("blocking")):
            return "does not wait"
        if _limits(making.argument("blocking_timeout")):
            return "waits for a limited time"
    return None


def _off(blocking: Argument | None) -> bool:
    return blocking is not None and blocking.constants is not None and not any(blocking.constants)


def _limits(limit: Argument | None) -> bool:
    """Given, and not None by default."""
    if limit is None or limit.may_be_none or limit.kind == "none":
        return False
    return limit.constants is None or None not in limit.constants


def during(held: Held, taking: LockUse) -> tuple[Work, ...]:
    """What is done between taking a lock and giving it back in the same function."""
    back = releases(held)
    return tuple(
        work
        for work in held.work
        if can_follow(taking.place, work.place)
        and any(can_follow(work.place, use.place) for use in back)
        and not any(_says_no(guard, held, taking) for guard in work.guards)
    )


def _says_no(guard: Guard, held: Held, taking: LockUse) -> bool:
    """What comes behind this test is done without the lock."""
    negated = guard.text.startswith("not ")
    said = guard.text.removeprefix("not ").removeprefix("await ")
    alone = said in taking.result.names or said.startswith(f"{held.text}.acquire(")
    return alone and not guard.operators - {"not"} and guard.met == negated


def within(held: Held, construct: int) -> tuple[Work, ...]:
    """What is done inside a `with` that takes the lock."""
    return tuple(work for work in held.work if any(arm.construct == construct for arm in work.place.path))


def passes_by(held: Held, work: Work) -> bool:
    """An exception raised by `work` leaves the function, or goes on in it, without a release."""
    back = releases(held)
    for arm in reversed(work.place.path):
        if arm.kind != "try":
            continue
        if arm.has_finally and any(_inside(use, arm.construct, arm.arms - 1) for use in back):
            return False
        for catch in work.catches:
            if catch.construct != arm.construct:
                continue
            if any(_inside(use, catch.construct, catch.arm) for use in back):
                return False
            if catch.broad and not catch.ends:
                return False
    return True


def surely_given_back(held: Held, taking: LockUse) -> bool:
    """Where nothing fails, a release follows: what decides about it is whether the lock was got, and nothing else."""
    around = {(arm.construct, arm.arm) for arm in taking.place.path}
    for use in releases(held):
        if can_follow(taking.place, use.place):
            own = [arm for arm in use.place.path if (arm.construct, arm.arm) not in around]
            asked = {guard.construct for guard in use.guards if _about(guard, held, taking)}
            if all(arm.kind in ("with", "try") or arm.construct in asked for arm in own):
                return True
    return False


def _about(guard: Guard, held: Held, taking: LockUse) -> bool:
    """The test asks whether the lock was got."""
    said = guard.text.removeprefix("not ").removeprefix("await ")
    got = any(taken.order == taking.place.order for taken in guard.takes)
    return got or said in taking.result.names or said.startswith(f"{held.text}.")


def left_to_chance(held: Held, taking: LockUse) -> tuple[LockUse, str] | None:
    """The only release, in a `finally`, and the test it depends on: of what the function is given, not of the lock."""
    back = releases(held)
    if len(back) != 1 or not can_follow(taking.place, back[0].place):
        return None
    finally_at = [
        number
        for number, arm in enumerate(back[0].place.path)
        if arm.kind == "try" and arm.has_finally and arm.arm == arm.arms - 1
    ]
    tests = [guard for guard in back[0].guards if guard.order > taking.place.order and not guard.takes]
    inside = any(arm.kind == "if" for arm in back[0].place.path[finally_at[-1] :]) if finally_at else False
    for guard in tests if inside else ():
        said = _OF_SOMETHING.fullmatch(guard.text)
        if said is not None and said[1] in held.function.parameters and said[1] not in ("self", "cls"):
            return back[0], guard.text
    return None


def _inside(use: LockUse, construct: int, arm: int) -> bool:
    return any(one.construct == construct and one.arm == arm for one in use.place.path)
