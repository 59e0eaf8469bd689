"""Which calls go to the server when they are made, and which only prepare.

Law of this file: by the command table and by how the result is taken; a factory sends nothing.
"""

from redis_guard.behaviour.results import spent
from redis_guard.project.model import Call

_LISTENING = frozenset({"listen", "get_message", "get_sharded_message", "run"})
_HANDLING = frozenset({"pipeline", "transaction", "client", "local", "module"})
_ENDINGS = frozenset({"quit", "reset"})


def is_command(call: Call) -> bool:
    """It asks the server for something, now or once its pipeline is executed; handling a connection or a
    pipeline (`execute`, `watch`, `close`) is not asking."""
    if call.facts is None or call.facts.family in _HANDLING:
        return False
    if call.facts.family == "connection" and call.method in _ENDINGS:
        return False
    return call.command is not None or call.facts.family == "raw"


def waits(call: Call) -> bool:
    """The caller waits for the server: at the call, at the loop over it, or on entering it."""
    if call.facts is None or not call.immediate:
        return False
    if call.facts.family == "lock":
        return _entered(call)
    if call.facts.returns == "iterator":
        return spent(call)
    return call.command is not None or call.facts.family == "raw" or call.method in _LISTENING


def _entered(call: Call) -> bool:
    """`with r.lock(…):`, also by way of a variable."""
    result = call.result
    if result.use == "entered":
        return not result.awaited
    return any(use.use == "entered" and not use.awaited for use in result.later or ())
