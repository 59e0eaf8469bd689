"""What happens where two calls meet on one key that they take for two types.

Law of this file: words only, true for the commands at hand. Source: the command pages of Redis; SET replaces a value of
any type, SET with NX leaves it alone, and all others, SET with GET among them, answer WRONGTYPE.
"""

from redis_guard.behaviour.holding import given, takes_if_absent
from redis_guard.behaviour.telling import command_of
from redis_guard.project.model import Call

EACH_FAILS = "whichever comes second fails with WRONGTYPE"


def where_they_meet(setting: Call, kept: str, other: str) -> str:
    """For a call and `kept`, the type of value that others keep there; `other` says who they are."""
    if _asks_for_the_old_value(setting):
        return EACH_FAILS
    if takes_if_absent(setting):
        return (
            f"where the {kept} is there the {command_of(setting)} does nothing, and where it is not, {other} with "
            "WRONGTYPE afterwards"
        )
    if setting.facts is not None and setting.facts.family == "set":
        return f"the {command_of(setting)} throws the {kept} away, and {other} with WRONGTYPE afterwards"
    return EACH_FAILS


def sets_whatever_was_there(call: Call) -> bool:
    """It does not fail on a value of another type."""
    sets = takes_if_absent(call) or (call.facts is not None and call.facts.family == "set")
    return sets and not _asks_for_the_old_value(call)


def _asks_for_the_old_value(call: Call) -> bool:
    return call.command == "GETSET" or given(call.argument("get"))
