"""How long a caller waits for a lock of redis-py, and how the runtime is told.

Law of this file: redis-py waits for ever unless it is told otherwise; the runtime never does.
"""

import ast
from dataclasses import dataclass, replace

from redis_guard.migrate.model import Refused
from redis_guard.project.model import Argument
from redis_guard.registry import format_duration
from redis_guard.repairs.written import Written

_OF_ACQUIRE = ("sleep", "blocking", "blocking_timeout", "token")


@dataclass(frozen=True, slots=True)
class Wait:
    """What `wait=` is given."""

    argument: tuple[str, ...] = ()
    """The argument; none where the registry says it."""
    for_ever: bool = False
    note: str = ""

    def spelled(self, registered_ms: int) -> "Wait":
        """For `try_acquire()`, which asks the registry for no wait."""
        if self.for_ever:
            return replace(self, argument=(f"wait={_seconds(registered_ms)}",))
        return self


def wait_of(written: Written, acquire: ast.Call | None, registered_ms: int) -> Wait:
    """The wait of `client.lock(…)`, and of the `acquire(…)` that takes it. Raises Refused."""
    blocking: ast.expr | None = written.argument("blocking")
    limit: ast.expr | None = written.argument("blocking_timeout")
    known = written.call.argument("blocking_timeout")
    if acquire is not None:
        given = _given(acquire)
        blocking = given.get("blocking", blocking)
        if "blocking_timeout" in given:
            limit, known = given["blocking_timeout"], None
        if "token" in given:
            raise Refused("acquire() is given a token of its own")
    if blocking is not None:
        if not isinstance(blocking, ast.Constant) or not isinstance(blocking.value, bool):
            raise Refused("whether it waits is decided at run time")
        if not blocking.value:
            return _at_once(acquire, registered_ms)
    if limit is None or (isinstance(limit, ast.Constant) and limit.value is None):
        return _for_ever(registered_ms)
    return _limited(written, acquire, limit, known, registered_ms)


def _at_once(acquire: ast.Call | None, registered_ms: int) -> Wait:
    return Wait(("wait=0",) if acquire is None and registered_ms else ())


def _for_ever(registered_ms: int) -> Wait:
    if not registered_ms:
        raise Refused('it waits for ever, and the registry says to try once; give the use case a "wait"')
    registered = format_duration(registered_ms)
    return Wait(
        (),
        True,
        f"it waits for ever here; the runtime raises LockNotAcquired after the registry's {registered}",
    )


def _limited(
    written: Written, acquire: ast.Call | None, limit: ast.expr, known: Argument | None, registered_ms: int
) -> Wait:
    if isinstance(limit, ast.Constant) and isinstance(limit.value, int | float):
        same = acquire is None and limit.value * 1000 == registered_ms
        at_once = acquire is not None and not limit.value
        return Wait(() if same or at_once else (f"wait={written.program.source(limit)}",))
    if known is None or known.may_be_none or not (known.constants or known.kind in ("int", "float")):
        raise Refused("how long it waits is decided at run time, and may be for ever")
    return Wait((f"wait={written.program.source(limit)}",))


def _given(acquire: ast.Call) -> dict[str, ast.expr]:
    found = dict(zip(_OF_ACQUIRE, acquire.args, strict=False))
    for keyword in acquire.keywords:
        if keyword.arg is None:
            raise Refused("a star argument hides what acquire() is given")
        found[keyword.arg] = keyword.value
    if any(isinstance(each, ast.Starred) for each in acquire.args):
        raise Refused("a star argument hides what acquire() is given")
    return found


def _seconds(milliseconds: int) -> str:
    return str(milliseconds // 1000) if milliseconds % 1000 == 0 else str(milliseconds / 1000)
