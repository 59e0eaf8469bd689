"""What one call does to the keys it names: makes them, ends them, gives them a lifetime.

Law of this file: one call at a time, and ignorance is not guilt: what a star or an unseen script may hide
counts as a lifetime.
"""

import re

from redis_guard.project.keys import Key
from redis_guard.project.model import Call

_MAKING = frozenset({"set", "setnx", "string-edit", "counter", "collection-write", "collection-move"})
_ONLY_UPDATES = ("xx", "ifeq", "ifdeq", "nomkstream")
_EXPIRY_IN_LUA = re.compile(r"""P?EXPIRE|SETEX|['"][EP]XA?T?['"]""", re.IGNORECASE)


def written(call: Call) -> tuple[Key, ...]:
    """The keys a call writes; what it only reads (the sources of a STORE or a move) is not among them."""
    if call.facts is not None and call.facts.family == "rename":
        return call.keys  # the old name goes, the new one comes
    sources = call.facts.keys if call.facts is not None else ()
    targets = [source for source in sources if source.access == "write"] or [
        source for source in sources if source.access == "both"
    ]
    if len(targets) == len(sources):
        return call.keys
    given = [call.argument(source.parameter) for source in targets]
    return tuple(argument.key for argument in given if argument is not None)


def is_endless_write(call: Call) -> bool:
    """It can make a key, and gives it no lifetime."""
    facts = call.facts
    if facts is None or facts.family not in _MAKING or not facts.creates or facts.lifetime == "sets":
        return False
    if call.opaque and (facts.expiry or facts.flags):
        return False
    if facts.family == "collection-move" and len(set(call.keys)) == 1:
        return False  # a list is turned round: without elements there is nothing to move
    return not call.lifetimes and not _switched_on(call, (*_ONLY_UPDATES, "keepttl"))


def is_conditional_set(call: Call) -> bool:
    """SETNX, or SET with `nx`: it writes only where there is no key yet."""
    return call.facts is not None and (
        call.facts.family == "setnx" or (_is(call, "set") and _switched_on(call, ("nx",)))
    )


def is_write_with_lifetime(call: Call) -> bool:
    """It can make a key, and gives it a lifetime in the same step."""
    facts = call.facts
    if facts is None or not facts.creates:
        return False
    return facts.lifetime == "sets" or any(not given.of_field for given in call.lifetimes)


def is_expire(call: Call) -> bool:
    """EXPIRE, PEXPIRE, EXPIREAT, PEXPIREAT, but for a constant zero or less, which deletes."""
    if call.facts is None or call.facts.family != "expire":
        return False
    return not any(
        given.argument.constants is not None
        and all(isinstance(value, int) and value <= 0 for value in given.argument.constants)
        for given in call.lifetimes
    )


def is_field_expire(call: Call) -> bool:
    """HEXPIRE and its kin, which give a lifetime to fields of a hash."""
    return call.facts is not None and call.facts.family == "field-expire" and bool(call.facts.expiry)


def may_expire_by_script(call: Call) -> bool:
    """A script that sets a lifetime, or whose text cannot be seen."""
    if call.facts is None or call.facts.family != "script":
        return False
    return call.script is None or _EXPIRY_IN_LUA.search(call.script) is not None


def ends(call: Call) -> bool:
    """The key is gone afterwards, or has another name."""
    return call.facts is not None and call.facts.lifetime in ("ends", "moves")


def replaces(call: Call) -> bool:
    """The key's old value and lifetime are gone afterwards, whatever there was."""
    return call.facts is not None and "clears" in (call.facts.lifetime, call.facts.without_expiry)


def _is(call: Call, family: str) -> bool:
    return call.facts is not None and call.facts.family == family


def _switched_on(call: Call, flags: tuple[str, ...]) -> bool:
    """One of the flags is given, and is not certainly false."""
    given = [argument for name, argument in call.arguments if name in flags]
    return any(argument.constants is None or any(argument.constants) for argument in given)
