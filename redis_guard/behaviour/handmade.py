"""Locks made by hand: a key that is taken if absent, ends by itself, and is deleted to give it back.

Law of this file: a deletion gives a lock back only where the code says so: it follows the taking in one function,
or the names speak of locks. A claim that is taken back after a failure, or a marker that is cleared, is no lock.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from redis_guard.behaviour.holding import gives_up, has_lifetime, replaces, takes_if_absent
from redis_guard.behaviour.sameness import same_key
from redis_guard.behaviour.writes import is_expire
from redis_guard.project.flow import can_follow, in_handler
from redis_guard.project.model import CacheCall, Call, Constant, ModuleUses
from redis_guard.project.taken import Guard

Use: TypeAlias = Call | CacheCall

_LOCK = re.compile(
    r"(?:^|[^a-z])(?:r?locks?|locking|locked|mutex|mutexes|semaphore|lease|leader)(?:$|[^a-z])"
)
_RELEASING = re.compile(r"(?:^|[^a-z])(?:unlock|release|releases|exit|aexit)(?:$|[^a-z])")
_FORCED = re.compile(
    r"(?:^|[^a-z])(?:force|forced|reset|clear|break|steal|stale|clean|cleanup|flush)(?:$|[^a-z])"
)
_OWNED = re.compile(r"(?:^|[^a-z])(?:own|owns|owned|owner|mine|holder|holds|token)(?:$|[^a-z])")
_TIME = re.compile(r"time|monotonic|now|deadline|expire|expiry|elapsed|left|remaining|ttl")
_LESS = frozenset({"<", "<=", ">", ">="})
_COMPARES = re.compile(r"==|~=")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TOKENS = re.compile(r"uuid|secrets|urandom|token|getpid|gethostname", re.IGNORECASE)


def takes(use: Use) -> bool:
    """SETNX, SET NX, `cache.add`."""
    return use.method == "add" if isinstance(use, CacheCall) else takes_if_absent(use)


def deletes(use: Use) -> bool:
    """The key goes, whatever is in it; a script that compares first is not meant."""
    if isinstance(use, CacheCall):
        return use.method == "delete"
    return gives_up(use) and not (use.script is not None and _COMPARES.search(use.script))


def speaks_of_locks(*texts: str) -> bool:
    """Names or keys with a word for a lock: `LOCK_KEY`, `lock:{name}`, `acquire_lock`, `RedisMutex`; not `unlock`."""
    return any(_LOCK.search(_CAMEL.sub("_", text).lower()) for text in texts)


def gives_back(taking: Use, deletion: Use) -> bool:
    """The deletion is how the lock is given back: not a claim taken back after a failure, not a marker cleared."""
    if in_handler(deletion.place):
        return False
    ours, theirs = taking.place.function, deletion.place.function
    if ours.scope == theirs.scope:
        return can_follow(taking.place, deletion.place) and _lock_like(taking)
    name = _CAMEL.sub("_", theirs.name).lower()
    if _FORCED.search(name):
        return False  # it is meant to take the lock from whoever has it
    releasing = bool(_RELEASING.search(name)) or speaks_of_locks(theirs.name)
    return releasing and speaks_of_locks(ours.qualname, theirs.qualname, _named(taking))


def pairs(module: ModuleUses) -> Iterator[tuple[Use, Use]]:
    """Takings and the deletions that give them back; each deletion once."""
    calls = (*module.calls, *module.lent)
    yield from _pairs(calls, [call for call in calls if takes(call) or _takes_watched(call, module)])
    yield from _pairs(module.cache_calls, [entry for entry in module.cache_calls if takes(entry)])


def _takes_watched(call: Call, module: ModuleUses) -> bool:
    """WATCH, a look, and SET with a lifetime in MULTI: as good as SET NX."""
    if call.immediate or call.facts is None or call.facts.family != "set" or not has_lifetime(call):
        return False
    before = [one for one in module.of_function(call.place.function) if can_follow(one.place, call.place)]
    mine = [one for one in before if one.client == call.client and same_key(one, call)]
    return any(one.method == "watch" for one in mine) and any(one.command == "GET" for one in mine)


def _pairs(uses: Sequence[Use], takings: Sequence[Use]) -> Iterator[tuple[Use, Use]]:
    deletions = [use for use in uses if deletes(use)] if takings else []
    for deletion in deletions:
        # the nearest one before it, else any
        for taking in sorted(
            takings, key=lambda one: one.place.function.scope != deletion.place.function.scope
        ):
            if one_lock(taking, deletion) and gives_back(taking, deletion) and _ends(taking, uses):
                yield taking, deletion
                break


def one_lock(taking: Use, deletion: Use) -> bool:
    """The same key; or a parameter of the same name, of `acquire_lock(name)` and `release_lock(name)`."""
    if same_key(taking, deletion):
        return True
    ours, theirs = taking.place.function, deletion.place.function
    same = (
        taking.key is not None and deletion.key is not None and taking.key.template == deletion.key.template
    )
    return same and ours.cls == theirs.cls and speaks_of_locks(ours.name) and speaks_of_locks(theirs.name)


def _ends(taking: Use, uses: Sequence[Use]) -> bool:
    """It can end while its holder works; one that never ends cannot be somebody else's. And it is no value."""
    same = [use for use in uses if use is not taking and same_key(taking, use)]
    if isinstance(taking, CacheCall):
        return True
    calls = [use for use in same if isinstance(use, Call)]
    valued = any(
        replaces(use) or (use.facts and use.facts.family in ("counter", "string-edit")) for use in calls
    )
    return not valued and (has_lifetime(taking) or any(is_expire(use) for use in calls))


def _lock_like(taking: Use) -> bool:
    """Its value is a constant or a token, or it is called a lock: it is no data that somebody reads."""
    value = taking.argument("value")
    if value is None:
        return False
    tokens = (*value.calls, *value.words, value.text)
    return (
        (value.constants is not None and all(_is_mark(one) for one in value.constants))
        or any(_TOKENS.search(text) for text in tokens)
        or speaks_of_locks(_named(taking), taking.place.function.qualname)
    )


def _is_mark(value: Constant) -> bool:
    return value is not None


def _named(use: Use) -> str:
    """The key as a template, and as it is written."""
    key = use.argument("name") or use.argument("key")
    return f"{use.key.template if use.key else ''} {key.text if key else ''}"


def is_checked(deletion: Use, module: ModuleUses) -> bool:
    """Something is asked before the key is deleted: who holds it, or whether there is time left.

    Whether that is enough is not said here.
    """
    if any(_asks_for_owner(guard) or _asks_for_time(guard) for guard in deletion.guards):
        return True
    if isinstance(deletion, CacheCall):
        return False
    asked = {taken.order for guard in deletion.guards for taken in guard.takes}
    return is_watched(deletion, module) or any(
        call.place.order in asked and not takes(call) and same_key(call, deletion)
        for call in module.of_function(deletion.place.function)
    )


def _asks_for_owner(guard: Guard) -> bool:
    return not guard.takes and _OWNED.search(guard.text.lower()) is not None


def _asks_for_time(guard: Guard) -> bool:
    return bool(_LESS & guard.operators) and _TIME.search(guard.text.lower()) is not None


def is_watched(deletion: Use, module: ModuleUses) -> bool:
    """WATCH of the key comes before."""
    if isinstance(deletion, CacheCall):
        return False
    return any(
        call.method == "watch" and can_follow(call.place, deletion.place)
        for call in module.of_function(deletion.place.function)
    )
