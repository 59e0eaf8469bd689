"""What the checker knows of the runtime by name is there, and as it is known."""

import inspect
from importlib import import_module
from typing import get_args

import pytest

from redis_guard.project import runtime
from redis_guard.registry.model import Primitive


def resolved(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(import_module(module), name)


@pytest.mark.parametrize("dotted", sorted(runtime.CLASSES))
def test_a_coordination_class_has_the_methods_that_are_followed(dotted: str) -> None:
    cls = resolved(dotted)
    assert inspect.isclass(cls)
    for name in (*runtime.FACTORIES, *runtime.STARTERS, *runtime.PRIMITIVES):
        assert callable(getattr(cls, name)), name
    for name in runtime.PRIMITIVES:
        first = list(inspect.signature(getattr(cls, name)).parameters)[1]
        assert first == runtime.NAME, name
    assert inspect.iscoroutinefunction(cls.start) is runtime.CLASSES[dotted].asynchronous


_GIVEN = {
    runtime.COORDINATION: "redis_guard.runtime.aio.Coordination",
    "lock": "redis_guard.runtime.aio.primitives.Lock",
    "lease": "redis_guard.runtime.aio.lease.Lease",
    "counter": "redis_guard.runtime.aio.primitives.Counter",
    "signal": "redis_guard.runtime.aio.primitives.Signal",
}


@pytest.mark.parametrize("kind", sorted(runtime.AWAITED))
def test_the_coroutines_of_asyncio_are_those_that_are_known(kind: str) -> None:
    cls = resolved(_GIVEN[kind])
    assert inspect.isclass(cls)
    methods = {name: made for name, made in inspect.getmembers(cls) if not name.startswith("_")}
    assert {name for name, made in methods.items() if inspect.iscoroutinefunction(made)} == runtime.AWAITED[
        kind
    ]


@pytest.mark.parametrize("dotted", sorted(runtime.OBSERVERS))
def test_an_observer_is_given_the_client_first(dotted: str) -> None:
    observer = resolved(dotted)
    assert callable(observer)
    assert next(iter(inspect.signature(observer).parameters)) == runtime.OBSERVED


def test_a_use_case_is_registered_as_the_method_that_is_called() -> None:
    assert set(runtime.PRIMITIVES) == set(get_args(Primitive))
