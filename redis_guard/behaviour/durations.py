"""The lifetime that a call gives a key, as a number and in words.

Law of this file: only what is certain becomes a number; an instant, a setting or a choice is `variable`.
"""

from redis_guard.project.model import Call, Lifetime

VARIABLE = "variable"


def lifetime_ms(call: Call) -> int | None:
    """Milliseconds, where the call gives one constant lifetime to its key."""
    given = _of_key(call)
    return None if given is None else _milliseconds(given)


def lifetime_text(call: Call) -> str | None:
    """`60s`, `1500ms`, `variable`, or None where the call gives no lifetime."""
    given = _of_key(call)
    if given is None or given.argument.constants == (None,) or given.argument.kind == "none":
        return None
    milliseconds = _milliseconds(given)
    if milliseconds is None:
        return VARIABLE
    return f"{milliseconds}ms" if milliseconds % 1000 or given.unit == "ms" else f"{milliseconds // 1000}s"


def _of_key(call: Call) -> Lifetime | None:
    return next((lifetime for lifetime in call.lifetimes if not lifetime.of_field), None)


def _milliseconds(lifetime: Lifetime) -> int | None:
    if lifetime.unit not in ("s", "ms"):
        return None
    argument = lifetime.argument
    if argument.milliseconds is not None:
        return round(argument.milliseconds)
    if argument.constants is None or len(set(argument.constants)) != 1:
        return None
    value = argument.constants[0]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return round(value * (1000 if lifetime.unit == "s" else 1))
