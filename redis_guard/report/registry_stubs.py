"""A registry -> a Python module for type checkers: a wrong name, or a wrong number of identifiers, is an error there.

Law of this file: the module's `Coordination` is the runtime's own, told more about its arguments; at run time it
adds nothing. The same registry gives the same text.
"""

import keyword
from collections.abc import Iterable, Iterator
from typing import get_args

from redis_guard.registry import Registry, UseCase
from redis_guard.registry.model import Primitive

RETURNS: dict[Primitive, str] = {"lock": "Lock", "claim": "Claim", "counter": "Counter", "signal": "Signal"}
OPTIONS: dict[Primitive, tuple[str, ...]] = {
    "lock": ("wait: float | None = None", "on_lost: Callable[[str], object] | None = None"),
    "claim": ("by: Identifier | None = None",),
    "counter": (),
    "signal": (),
}
"""The keyword arguments of the runtime's methods."""

HEAD = '''\
"""Names of the registry, written by `redis-guard registry stubs`: do not edit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, {typing}

from redis_guard.registry.keys import Identifier
from redis_guard.runtime import Claim, Counter, Lock, Signal
from redis_guard.runtime import Coordination as _Coordination

__all__ = ["ClaimName", "Coordination", "CounterName", "LockName", "SignalName"]

'''
CLASS = '''

class Coordination(_Coordination):
    """Takes registered names only, each with the identifiers of its key."""

    if TYPE_CHECKING:

'''


def stubs(registry: Registry) -> str:
    """The text of the module."""
    primitives: tuple[Primitive, ...] = get_args(Primitive)
    cases = {
        primitive: [case for case in registry.use_cases.values() if case.primitive == primitive]
        for primitive in primitives
    }
    aliases = "".join(_alias(primitive, cases[primitive]) for primitive in primitives)
    methods = "\n".join(_method(primitive, cases[primitive]) for primitive in primitives)
    used = (name for name in ("Literal", "Never", "TypeAlias", "overload") if name in aliases + methods)
    return HEAD.format(typing=", ".join(used)) + aliases + CLASS + methods


def _alias(primitive: Primitive, cases: list[UseCase]) -> str:
    return f"{primitive.capitalize()}Name: TypeAlias = {_names(cases, '')}\n"


def _names(cases: list[UseCase], indent: str) -> str:
    """The type of these names, one a line where there are several, so that a new one is one line of a diff."""
    if len(cases) < 2:
        return f'Literal["{cases[0].name}"]' if cases else "Never"
    return "Literal[\n" + "".join(f'{indent}    "{case.name}",\n' for case in cases) + f"{indent}]"


def _method(primitive: Primitive, cases: list[UseCase]) -> str:
    """One signature for all use cases that take the same identifiers; overloads where they differ."""
    alike: dict[tuple[str, ...], list[UseCase]] = {}
    for case in cases:
        alike.setdefault(tuple(_parameters(case.key.placeholders)), []).append(case)
    # The one thing that a subclass should not do, and the point of it here: it takes less than its base.
    narrower = "  # type: ignore[override]"
    if len(alike) < 2:
        identifiers = next(iter(alike), ())
        return _def(primitive, _names(cases, " " * 12), identifiers, narrower)
    overloads = [
        f"        @overload{'' if index else narrower}\n"
        + _def(primitive, _names(group, " " * 12), identifiers, "", body=" ...")
        for index, (identifiers, group) in enumerate(alike.items())
    ]
    return "\n".join((*overloads, _def(primitive, "str", ("*ids: Identifier",), "")))


def _def(
    primitive: Primitive,
    name: str,
    identifiers: Iterable[str],
    comment: str,
    body: str = "\n            raise NotImplementedError",
) -> str:
    parameters = ["self", f"name: {name}", *identifiers]
    options = OPTIONS[primitive]
    several = any(parameter.startswith("*") for parameter in parameters)
    parameters += [] if several else ["/"]
    parameters += ["*", *options] if options and not several else options
    lines = "".join(f"            {parameter},\n" for parameter in parameters)
    return f"        def {primitive}({comment}\n{lines}        ) -> {RETURNS[primitive]}:{body}\n"


def _parameters(placeholders: Iterable[str]) -> Iterator[str]:
    """Positional ones, whose names a reader sees and nothing else does."""
    taken = {"self", "name", "by", "wait", "on_lost"}
    for placeholder in placeholders:
        while placeholder in taken or keyword.iskeyword(placeholder):
            placeholder += "_"
        taken.add(placeholder)
        yield f"{placeholder}: Identifier"
