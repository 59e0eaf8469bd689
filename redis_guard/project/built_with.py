"""What the construction of a client says of its calls: bytes or text, retries of its own or not.

Law of this file: told only by a construction that is seen; anything hidden makes it unknown.
Source: redis-py 8.1, `Redis.__init__`, `ConnectionPool.__init__` and `parse_url`.
"""

import re

from redis_guard.facts.model import Call, Const, Expr
from redis_guard.project.asking import Asker
from redis_guard.project.values import RedisObject

REPLIES = "replies"
"""The name of the option; its values are `bytes` and `text`."""

RETRIES = "retries"
"""The name of the option; it is there where the construction gives retries of its own."""

_DECODED = "decode_responses"
_OF_URL = re.compile(r"[?&]decode_responses=(\w+)")
_TRUE = frozenset({"true", "yes", "1", "on", "t"})
_ROOTS = ("redis.", "valkey.", "fakeredis.")
_FEW = 8
"""More arguments by position than this may reach `decode_responses`."""

Options = tuple[tuple[str, str], ...]


def built(inf: Asker, made: RedisObject, call: Call | None, path: str, scope: int) -> Options:
    """What the construction of a client, pool or sentinel says."""
    if call is None or made.kind not in ("client", "pool", "sentinel") or not made.type.startswith(_ROOTS):
        return ()
    own = ((RETRIES, "own"),) if any(arg.keyword in ("retry", "retry_on_error") for arg in call.args) else ()
    if (pool := _argument(call, "connection_pool")) is not None:
        return (*own, *_of_pool(inf, pool, path, scope))
    told = said(call)
    if told is None:
        return own
    return (*own, *_option(told or _by_url(call)))


def said(call: Call, *, otherwise: str = "") -> str | None:
    """`bytes` or `text` as the call says it, `otherwise` where it says nothing, None where that is hidden."""
    given = _argument(call, _DECODED)
    if given is not None:
        truth = given.value if isinstance(given, Const) else None
        return None if truth is None else "text" if truth else "bytes"
    positions = sum(arg.keyword is None for arg in call.args)
    if any(arg.star for arg in call.args) or positions > _FEW:
        return None
    return otherwise


def handed_on(owner: RedisObject) -> Options:
    """What a pipeline or a subscription has from its client."""
    return tuple(option for option in owner.options if option[0] in (REPLIES, RETRIES))


def of_sentinel(owner: RedisObject, call: Call | None) -> Options:
    """What a client of a Sentinel is told by the call that asks for it, or else by the Sentinel."""
    known = dict(owner.options).get(REPLIES)
    told = said(call, otherwise=known or "") if call is not None else None
    retries = tuple(option for option in owner.options if option[0] == RETRIES)
    return (*retries, *_option(told)) if told else retries


def _option(told: str) -> Options:
    return ((REPLIES, told or "bytes"),)


def _by_url(call: Call) -> str:
    for arg in call.args:
        if isinstance(arg.value, Const) and isinstance(arg.value.value, str):
            found = _OF_URL.search(arg.value.value)
            if found is not None:
                return "text" if found[1].lower() in _TRUE else "bytes"
    return ""


def _of_pool(inf: Asker, pool: Expr, path: str, scope: int) -> Options:
    """The pool decides, whatever else the client is told."""
    if isinstance(pool, Const) and pool.value is None:
        return ()
    told = {
        value.object.options
        for value in inf.values(path, scope, pool)
        if isinstance(value.object, RedisObject) and value.object.kind == "pool"
    }
    return told.pop() if len(told) == 1 else ()


def _argument(call: Call, name: str) -> Expr | None:
    return next((arg.value for arg in call.args if arg.keyword == name), None)
