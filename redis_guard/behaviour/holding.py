"""What single calls do to a key: take it if absent, give it up, keep it for a time.

Law of this file: one call at a time, from its facts and arguments.
"""

import re

from redis_guard.project.model import Argument, Call

_DELETE_IN_LUA = re.compile(r"""redis\.p?call\(\s*['"](?:del|unlink)['"]""", re.IGNORECASE)


def given(argument: Argument | None) -> bool:
    """A flag such as `nx=` that is set, or may be."""
    if argument is None:
        return False
    return argument.constants is None or any(argument.constants)


def takes_if_absent(call: Call) -> bool:
    """SETNX, SET NX, MSETNX."""
    if call.facts is None:
        return False
    return call.facts.family == "setnx" or (call.facts.family == "set" and given(call.argument("nx")))


def gives_up(call: Call) -> bool:
    """Deletes the key, whoever holds it: DEL, UNLINK, GETDEL, a script that does so."""
    if call.facts is None:
        return False
    if call.facts.family in ("delete", "get-delete"):
        return True
    return call.script is not None and bool(_DELETE_IN_LUA.search(call.script))


def has_lifetime(call: Call) -> bool:
    """The call gives the key a lifetime, or may give it one."""
    return any(not lifetime.of_field and lifetime.argument.kind != "none" for lifetime in call.lifetimes)


def replaces(call: Call) -> bool:
    """A SET that takes no notice of what was there."""
    if call.facts is None or call.facts.family != "set":
        return False
    return not given(call.argument("nx")) and not given(call.argument("xx"))
