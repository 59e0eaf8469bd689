"""The result of acquire() is unused.

What: `acquire()` may come back without the lock (`blocking=False`, a `blocking_timeout`), and nothing looks at
what it says. An `acquire()` that waits for ever needs no look.
Why it hurts: it returns False and raises nothing, so that the work is done by everybody at once; and the
release that follows raises, since the lock is somebody else's.
Instead: `if not lock.acquire(blocking=False): return`, or `with lock:`, which raises LockError.
Fix: unsafe, since what to do without the lock is a decision: where nobody waits and nothing is given back, the function
returns or the loop goes on; else LockError is raised; inside `try` and `with` none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.locks import acquires, may_fail, name_of
from redis_guard.project.model import Held, LockUse, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.acquire_answered import AcquireAnswered
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at_lock


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for held in module.held:
        for taking in acquires(held):
            if _unused(held, taking) and (why := may_fail(held, taking)) is not None:
                repair = AcquireAnswered(held, taking, waits=why != "does not wait")
                yield at_lock(
                    held, taking.span, _message(held, why, registry), method="acquire", repair=repair
                )


def _unused(held: Held, taking: LockUse) -> bool:
    result = taking.result
    if held.asynchronous and not result.awaited:
        return False
    if any(use.method == "owned" for use in held.uses):
        return False
    return result.use == "discarded" or (result.use == "assigned" and result.later == ())


def _message(held: Held, why: str, registry: Registry) -> str:
    return (
        f"acquire() of lock {name_of(held, registry)} {why}, and nothing looks at its answer: when somebody else "
        "has the lock, the work is done all the same. Test the result, or use `with`, which raises LockError"
    )


RULE = Rule(
    code="RG305",
    name="lock-acquire-unchecked",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad="gate.acquire(blocking=False)\npoll()",
            good=(
                "if not gate.acquire(blocking=False):\n"
                '    raise LockError("poll is held by somebody else")\npoll()'
            ),
            setup=(
                "import redis\nfrom redis.exceptions import LockError\n\nr = redis.Redis()\n"
                'gate = r.lock("poll", timeout=15)\n'
            ),
        ),
    ),
)
