"""A call that takes its lifetime in another unit: `px` for `ex`, PEXPIRE for EXPIRE.

Law of this file: the lifetime stays as it is written; what changes is how the call takes it.
"""

import ast
from collections.abc import Mapping
from types import MappingProxyType

from redis_guard.fixes.draft import Draft
from redis_guard.project.model import Lifetime, Unit
from redis_guard.repairs.lifetimes import OPTIONS, as_argument
from redis_guard.repairs.written import Written

_EXPIRE: Mapping[Unit, tuple[str, str]] = MappingProxyType(
    {
        "s": ("expire", "time"),
        "ms": ("pexpire", "time"),
        "s-at": ("expireat", "when"),
        "ms-at": ("pexpireat", "when"),
    }
)
_OF_FIELDS: Mapping[Unit, tuple[str, str]] = MappingProxyType(
    {
        "s": ("hexpire", "seconds"),
        "ms": ("hpexpire", "milliseconds"),
        "s-at": ("hexpireat", "unix_time_seconds"),
        "ms-at": ("hpexpireat", "unix_time_milliseconds"),
    }
)
_SETEX = ("setex", "psetex")


def take_in(
    draft: Draft, call: Written, lifetime: Lifetime, unit: Unit, text: str | None = None
) -> str | None:
    """Have the call take its lifetime in `unit`, written as `text` if it is not to stay as it is.

    What it is given by then (`px`, `expireat()`); None where the call takes no other unit.
    """
    time = call.argument(lifetime.parameter)
    family = "" if call.call.facts is None else call.call.facts.family
    if time is None or not call.method_named:
        return None
    if family in ("expire", "field-expire"):
        method, parameter = (_EXPIRE if family == "expire" else _OF_FIELDS)[unit]
        draft.rename_method(call.node, method)
        _rename_keyword(draft, call, time, parameter)
        if text is not None:
            draft.rewrite(time, text)
        return f"{method}()"
    option = OPTIONS[unit]
    if call.call.argument(option) is not None or (
        unit.endswith("-at") and draft.program.target_server < (6, 2)
    ):
        return None
    if call.call.method in _SETEX:
        setex_as_set(draft, call, time, f"{option}={text or as_argument(draft.program, time)}")
    elif lifetime.parameter not in OPTIONS.values():
        return None
    elif any(keyword.value is time for keyword in call.node.keywords):
        _rename_keyword(draft, call, time, option)
        if text is not None:
            draft.rewrite(time, text)
    elif call.node.args[-1] is time:
        draft.rewrite(time, f"{option}={text or draft.program.source(time)}")
    else:
        return None
    return option


def _rename_keyword(draft: Draft, call: Written, value: ast.expr, name: str) -> None:
    for keyword in call.node.keywords:
        if keyword.value is value and keyword.arg is not None:
            start = draft.program.start(keyword)
            draft.replace(start, start + len(keyword.arg), name)


def setex_as_set(draft: Draft, call: Written, time: ast.expr, option: str) -> None:
    """`setex(name, time, value)` becomes `set(name, value, ex=time)`."""
    draft.rename_method(call.node, "set")
    keyword = next((keyword for keyword in call.node.keywords if keyword.value is time), None)
    if keyword is not None:
        draft.rewrite(keyword, option)
    else:
        draft.remove_argument(call.node, time)
        draft.add_argument(call.node, option)
