"""How a counter and its window are made in one step, on the servers that the project has to work with.

Law of this file: words only; what is advised works on every server from `target-server` upwards.
"""

from redis_guard.behaviour.pairs import Pair
from redis_guard.project.model import ServerVersion

_EXPIRIES = {"EXPIRE": "ex", "PEXPIRE": "px", "EXPIREAT": "exat", "PEXPIREAT": "pxat"}


def in_one_step(pair: Pair, server: ServerVersion) -> str:
    """For a count and an EXPIRE that are two round trips."""
    if server.expires_if_without:
        return "Queue both in one MULTI pipeline (`expire` with `nx=True`)"
    step = _begun_by_set(pair, server)
    return step[0].upper() + step[1:]


def once(pair: Pair, server: ServerVersion) -> str:
    """For an EXPIRE that comes with every count."""
    return "Pass `nx=True`" if server.expires_if_without else f"Start it once: {_begun_by_set(pair, server)}"


def _begun_by_set(pair: Pair, server: ServerVersion) -> str:
    """SET with NX makes the counter at zero, with its lifetime, where there is none yet."""
    expiry = _EXPIRIES.get(pair.seconds[0].command or "")
    stored_as = "" if pair.first.facts is None else pair.first.facts.stored_as
    if stored_as != "string" or expiry is None or (expiry.endswith("at") and not server.takes_values):
        return "do both in one Lua script"
    return f"queue `set(…, 0, {expiry}=…, nx=True)` and `{pair.first.method}` in one MULTI pipeline"
