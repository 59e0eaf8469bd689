"""Questions about the order in which things happen inside one function.

Law of this file: places only. "Can follow" means on some way through the function, within one turn of every
loop that holds both.
"""

from redis_guard.project.model import Arm, Place

_EXCLUSIVE = ("if", "match")


def can_follow(first: Place, second: Place) -> bool:
    """Whether `second` can happen after `first` in one run of their function."""
    if first.function != second.function or second.order <= first.order:
        return False
    shared = _shared(first, second)
    ours, theirs = first.path[shared:], second.path[shared:]
    if ours and theirs and ours[0].construct == theirs[0].construct and not _both_run(ours[0], theirs[0]):
        return False
    finally_ahead = {arm.construct for arm in theirs if _is_finally(arm)}
    # an arm that returns or raises lets nothing after it happen, but for a finally around it
    return not any(
        arm.ends and arm.construct not in finally_ahead and not (finally_ahead & _around(ours, arm))
        for arm in ours
    )


def _around(path: tuple[Arm, ...], inner: Arm) -> set[int]:
    return {arm.construct for arm in path[: path.index(inner)]}


def _both_run(ours: Arm, theirs: Arm) -> bool:
    if ours.kind in _EXCLUSIVE:
        return False
    if ours.kind == "try":
        # body -> handler, else, finally; handler -> finally; else -> finally
        return ours.arm == 0 or _is_finally(theirs)
    return True


def _is_finally(arm: Arm) -> bool:
    return arm.kind == "try" and arm.has_finally and arm.arm == arm.arms - 1


def _shared(first: Place, second: Place) -> int:
    count = 0
    for a, b in zip(first.path, second.path, strict=False):
        if (a.construct, a.arm) != (b.construct, b.arm):
            break
        count += 1
    return count


def always_follows(first: Place, second: Place) -> bool:
    """Whether `second` happens whenever `first` has, errors apart: no branch holds it that lacks `first`."""
    return can_follow(first, second) and _straight(second.path[_shared(first, second) :])


def _straight(arms: tuple[Arm, ...]) -> bool:
    return all(
        arm.kind == "with" or (arm.kind == "try" and (arm.arm == 0 or _is_finally(arm))) for arm in arms
    )


def always_precedes(first: Place, second: Place) -> bool:
    """Whether `first` has happened whenever `second` does, errors apart: no branch holds it that lacks `second`."""
    return can_follow(first, second) and _straight(first.path[_shared(first, second) :])


def innermost_loop(place: Place) -> int | None:
    """The construct of the nearest loop around a place; None outside loops."""
    return next(
        (arm.construct for arm in reversed(place.path) if arm.kind in ("for", "while") and arm.arm == 0), None
    )


def cleans_up(place: Place) -> bool:
    """Inside an `except` or a `finally` clause."""
    return in_handler(place) or any(_is_finally(arm) for arm in place.path)


def in_handler(place: Place) -> bool:
    """Inside an `except` clause."""
    return any(
        arm.kind == "try" and 0 < arm.arm < arm.arms - (2 if arm.has_finally else 1) for arm in place.path
    )
