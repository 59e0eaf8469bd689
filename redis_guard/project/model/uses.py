"""One file, and all files, as rules see them.

Law of this file: tuples of values; nothing is looked up here.
"""

from dataclasses import dataclass

from redis_guard.facts.model import GivenUrl
from redis_guard.project.model.calls import CacheCall, Call, Construction
from redis_guard.project.model.locks import Held
from redis_guard.project.model.places import Function
from redis_guard.project.model.runtime import RuntimeCall, RuntimeStep
from redis_guard.project.model.server import DEFAULT_SERVER, ServerVersion
from redis_guard.project.taken import Comparison, Handed


@dataclass(frozen=True, slots=True)
class ModuleUses:
    """One file as rules see it."""

    path: str
    test: bool
    """By its place and name a test; see the narrow escape for tests."""
    calls: tuple[Call, ...]
    """By function, in the order of evaluation within each."""
    constructions: tuple[Construction, ...]
    cache_calls: tuple[CacheCall, ...]
    error: tuple[int, int, str] | None = None
    lent: tuple[Call, ...] = ()
    """What helpers do to the keys that the functions of this file hand them; not among `calls`."""
    runtime_calls: tuple[RuntimeCall, ...] = ()
    runtime_steps: tuple[RuntimeStep, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    """In which results take part."""
    handed: tuple[Handed, ...] = ()
    """Results that are given to functions, or back to the caller."""
    texts: frozenset[str] = frozenset()
    """For a file that speaks of the runtime: all texts in it, since one may be a name that is used unseen."""
    held: tuple[Held, ...] = ()
    """The locks that its functions take."""
    server: ServerVersion = DEFAULT_SERVER
    """What advice may count on."""
    given_urls: tuple[GivenUrl, ...] = ()
    """Literal URLs with a password that are given to a name, whether or not a client is built with them."""

    def of_function(self, function: Function) -> tuple[Call, ...]:
        return tuple(call for call in self.calls if call.place.function.scope == function.scope)


@dataclass(frozen=True, slots=True)
class ProjectUses:
    """All files of the project that take part."""

    modules: tuple[ModuleUses, ...]
    server: ServerVersion = DEFAULT_SERVER
    """What advice may count on."""

    def module(self, path: str) -> ModuleUses | None:
        return next((module for module in self.modules if module.path == path), None)
