"""How the result of a call is taken: as a value, or handed on as it is.

Law of this file: only what is certainly taken as a value counts; a callee that nobody knows may do anything.
"""

from redis_guard.project.model import Call, LaterUse, Result

_TAKES_VALUES = frozenset(
    [
        *(
            "abs",
            "all",
            "any",
            "bool",
            "bytes",
            "bytearray",
            "dict",
            "divmod",
            "enumerate",
            "filter",
            "float",
        ),
        *("format", "frozenset", "hash", "int", "iter", "len", "list", "map", "max", "min", "next", "print"),
        *("range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
        *("json.loads", "json.dumps", "pickle.loads", "orjson.loads"),
    ]
)
"""Callees that take a value, never an awaitable."""
_VALUES = frozenset({"condition", "compared", "operand", "iterated", "chained"})
_OF_FUTURES = frozenset({"__await__", "send", "throw", "close", "add_done_callback"})


def taken_as_value(use: Result | LaterUse) -> bool:
    """The result itself is tested, compared, computed with, looped over, or asked for an attribute."""
    if use.awaited:
        return False
    if use.use == "argument":
        return use.callee in _TAKES_VALUES
    return use.use in _VALUES and not (use.use == "chained" and use.callee in _OF_FUTURES)


def handed_on(use: Result | LaterUse) -> bool:
    """Somebody else may await it, or it is awaited here."""
    return use.awaited or (use.use not in ("discarded", "other") and not taken_as_value(use))


def spent(call: Call) -> bool:
    """An iterator that is run through right here: by a loop, a comprehension, or `list` and its like."""
    result = call.result
    if result.awaited:
        return False
    if result.use == "iterated":
        return True
    if result.use == "argument":
        return result.callee in _TAKES_VALUES
    return any(use.use == "iterated" and not use.awaited for use in result.later or ())
