"""Which calls of a project are call sites of one use case.

Law of this file: facts alone. A call whose key may be the use case's is a site, whether or not it can be rewritten.
"""

from dataclasses import dataclass

from redis_guard.behaviour.families import channels
from redis_guard.behaviour.handmade import deletes
from redis_guard.behaviour.lookups import says_value
from redis_guard.finding import Span
from redis_guard.project.keys import Key
from redis_guard.project.model import Argument, Call, ModuleUses, ProjectUses
from redis_guard.registry import Registry, UseCase


@dataclass(frozen=True, slots=True)
class Site:
    """A call on a key (or channel) of the use case."""

    call: Call
    key: Key
    parameter: str
    """The argument that gives the key."""

    @property
    def asynchronous(self) -> bool:
        """It is asyncio's; where the client may be either, the `await` before the call says so."""
        return self.call.result.awaited if self.call.either else self.call.asynchronous

    @property
    def id(self) -> tuple[Span, str]:
        return self.call.span, self.call.method


@dataclass(frozen=True, slots=True)
class FileSites:
    """One file's sites, and what else it does with the keys."""

    module: ModuleUses
    sites: tuple[Site, ...]
    built: tuple[Span, ...]
    """Locks that are built by their class, with such a key."""


def find_sites(project: ProjectUses, registry: Registry, case: UseCase) -> dict[str, FileSites]:
    """The files that have any, by path."""
    found = {}
    for module in project.modules:
        sites = tuple(site for call in module.calls if (site := _site(call, registry, case)) is not None)
        built = tuple(
            one.span
            for one in module.constructions
            if one.kind == "lock" and (name := one.argument("name")) and belongs(name.key, registry, case)
        )
        if sites or built:
            found[module.path] = FileSites(module, sites, built)
    return found


def _site(call: Call, registry: Registry, case: UseCase) -> Site | None:
    keys = channels(call) if case.primitive == "signal" else call.keys
    key = next((one for one in keys if belongs(one, registry, case)), None)
    if key is None:
        return None
    return Site(call, key, next((name for name, given in call.arguments if _gives(given, key)), ""))


def _gives(given: Argument, key: Key) -> bool:
    return given.key == key


def belongs(key: Key, registry: Registry, case: UseCase) -> bool:
    if not key.pieces:
        return False
    found = registry.signal_for_channel if case.primitive == "signal" else registry.entry_for_key
    return found(key.template) is case


def value_reads(sites: dict[str, FileSites]) -> list[Site]:
    """Reads of what is stored: all but a look whether something is, or at one's own token before it is deleted."""
    return [
        site
        for file in sites.values()
        for site in file.sites
        if says_value(site.call) and site.call.result.use != "condition" and not looks_for_owner(site, file)
    ]


def looks_for_owner(read: Site, file: FileSites) -> bool:
    """The answer decides whether the key is deleted, and nothing else is seen of it."""
    return any(
        deletes(other.call)
        and other.call.function == read.call.function
        and any(taken.order == read.call.place.order for guard in other.call.guards for taken in guard.takes)
        for other in file.sites
    )
