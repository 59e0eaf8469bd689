"""The use cases of a registry, ready for use, by primitive and name.

Law of this file: a wrong name, a wrong primitive and a wrong Redis are told before anything is sent.
"""

from redis_guard.registry.model import Primitive, Registry
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.errors import UnregisteredUseCase, WrongInstance, WrongPrimitive
from redis_guard.runtime.telemetry.protocol import Telemetry


class Registered:
    """What may be coordinated over one Redis."""

    __slots__ = ("_bound", "_instance", "_registry")

    def __init__(self, registry: Registry, instance: str, telemetry: Telemetry) -> None:
        self._registry = registry
        self._instance = instance
        self._bound = {
            (case.primitive, case.name): Bound.of(case, telemetry)
            for case in registry.use_cases.values()
            if case.instance == instance
        }

    def get(self, primitive: Primitive, name: str) -> Bound:
        """The use case `name`. Raises `UnregisteredUseCase`, `WrongPrimitive` and `WrongInstance`."""
        bound = self._bound.get((primitive, name))
        return bound if bound is not None else self._missing(primitive, name)

    def _missing(self, primitive: Primitive, name: str) -> Bound:
        if not isinstance(name, str):
            raise TypeError(f"the name of a use case is a str, not {type(name).__name__}")
        case = self._registry.use_case(name)
        if case is None:
            raise UnregisteredUseCase(name, self._registry.close_names(name))
        if case.primitive != primitive:
            raise WrongPrimitive(name, primitive, case.primitive)
        raise WrongInstance(name, case.instance, self._instance)
