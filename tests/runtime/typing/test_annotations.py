"""No type that a user meets is `Any`, and none is "perhaps awaitable" as redis-py's are."""

import inspect
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

DOORS = ("redis_guard.runtime", "redis_guard.runtime.aio")
ALLOWED = {
    "client": "redis-py's, valkey-py's or an instrumented one: a nominal type would shut out one of them",
}
OBJECTS_OWN = set(dir(object)) - {"__init__"}
FOR_TYPE_CHECKERS = {"Engine": object}
"""Imported by them alone, to break a circle; nothing that a user calls has it."""


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest) -> ModuleType:
    return import_module(request.param)


def public_classes(door: ModuleType) -> list[type]:
    return [kind for name in door.__all__ if inspect.isclass(kind := getattr(door, name))]


def callables(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What can be called or read on a class: methods, class methods, properties, its parents' as well."""
    for parent in kind.__mro__:
        if not parent.__module__.startswith("redis_guard."):
            continue
        for name, member in vars(parent).items():
            private = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
            if private or name in OBJECTS_OWN:
                continue
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            # Not what dataclasses writes: its fields are looked at as such.
            if inspect.isfunction(function) and "redis_guard" in function.__code__.co_filename:
                yield f"{kind.__name__}.{name}", function


def hints_of(what: Any) -> dict[str, Any]:
    return get_type_hints(what, localns=FOR_TYPE_CHECKERS)


def parts(hint: object) -> Iterator[object]:
    """A type and all types within it."""
    yield hint
    for inner in get_args(hint):
        for each in inner if isinstance(inner, list) else (inner,):
            yield from parts(each)


def fields(hint: object) -> Iterator[object]:
    """The types of a TypedDict's keys, of `**settings: Unpack[Settings]` too."""
    for each in parts(hint):
        if isinstance(each, type) and hasattr(each, "__required_keys__"):
            yield from get_type_hints(each).values()


def test_a_door_has_classes(door: ModuleType) -> None:
    assert {"Coordination", "Lease", "Lock", "Counter", "Signal"} <= {
        kind.__name__ for kind in public_classes(door)
    }


def test_every_parameter_and_result_has_a_type(door: ModuleType) -> None:
    bare = []
    for kind in public_classes(door):
        for name, function in callables(kind):
            hints = hints_of(function)
            parameters = list(inspect.signature(function).parameters)
            missing = {*parameters, "return"} - hints.keys() - {"self", "cls"}
            bare += [f"{name}: {parameter}" for parameter in missing]

    assert bare == []


def test_no_type_is_any(door: ModuleType) -> None:
    loose = []
    for kind in public_classes(door):
        for name, function in callables(kind):
            for parameter, hint in hints_of(function).items():
                if parameter not in ALLOWED and Any in [*parts(hint), *fields(hint)]:
                    loose.append(f"{name}: {parameter}")
        loose += [
            f"{kind.__name__}.{name}"
            for name, hint in hints_of(kind).items()
            if not name.startswith("_") and Any in parts(hint)
        ]

    assert loose == []


def test_nothing_is_perhaps_awaitable(door: ModuleType) -> None:
    unions = []
    for kind in public_classes(door):
        for name, function in callables(kind):
            for each in parts(hints_of(function).get("return")):
                origins = [get_origin(member) or member for member in get_args(each)]
                awaitable = [inspect.isclass(one) and issubclass(one, Awaitable) for one in origins]
                if get_origin(each) in (Union, UnionType) and any(awaitable):
                    unions.append(name)

    assert unions == []
