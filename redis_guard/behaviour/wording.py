"""How messages name a call and what it works on."""

from redis_guard.behaviour.families import channels
from redis_guard.project.keys import Key
from redis_guard.project.model import Call


def subject(call: Call) -> Key | None:
    """The first key, or the channel, that a call names; for a method of a lock, the lock's key."""
    return call.key or call.lock_key or next(iter(channels(call)), None)


def on_subject(call: Call) -> str:
    """` on lock:{name}`, or nothing where the call names neither key nor channel."""
    key = subject(call)
    return "" if key is None or not key.pieces else f" on {key.template}"


def written(call: Call) -> str:
    """The call as one would speak of it: `r.get()`, `r[…]`, `… in r`, `del r[…]`."""
    match call.method:
        case "__getitem__" | "__setitem__":
            return f"{call.receiver}[…]"
        case "__delitem__":
            return f"del {call.receiver}[…]"
        case "__contains__":
            return f"… in {call.receiver}"
        case "__call__":
            return f"{call.receiver}()"
    return f"{call.receiver}()" if call.form == "bound" else f"{call.receiver}.{call.method}()"
