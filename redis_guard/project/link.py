"""ModuleFacts of many files -> ProjectUses: the whole of linking behind one function.

Law of this file: the answer depends on the facts and the settings alone.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from redis_guard.facts.model import ModuleFacts
from redis_guard.project.arguments import Arguments
from redis_guard.project.cache_calls import cache_calls
from redis_guard.project.calls import Calls
from redis_guard.project.constructions import Constructions
from redis_guard.project.index import ProjectIndex
from redis_guard.project.inference import Inference
from redis_guard.project.model import ModuleUses, ProjectUses
from redis_guard.project.names import ModuleNames
from redis_guard.project.places import Places
from redis_guard.project.sites import uses
from redis_guard.project.templates import Templates


@dataclass(frozen=True, slots=True)
class Settings:
    """What linking is told: configured names, whether names alone may speak, which paths are tests."""

    clients: frozenset[str] = frozenset()
    not_clients: frozenset[str] = frozenset()
    guess: bool = True
    is_test: Callable[[str], bool] = lambda path: False


@dataclass(frozen=True, slots=True)
class Linked:
    """The uses of a project, files that inference would have needed, and how often it gave up."""

    project: ProjectUses
    wanted: frozenset[str]
    given_up: int


def link(modules: Iterable[ModuleFacts], names: ModuleNames, settings: Settings) -> Linked:
    """Everything the project does with Redis."""
    loaded = list(modules)
    index = ProjectIndex(loaded, names)
    inf = Inference(index, clients=settings.clients, not_clients=settings.not_clients)
    templates = Templates(inf)
    arguments = Arguments(inf, templates)
    found = []
    for module in sorted(loaded, key=lambda facts: facts.path):
        if not module.scopes:
            found.append(ModuleUses(module.path, settings.is_test(module.path), (), (), (), module.error))
            continue
        places = Places(module)
        calls = Calls(inf, templates, arguments, places).build(uses(inf, module.path, guess=settings.guess))
        found.append(
            ModuleUses(
                module.path,
                settings.is_test(module.path),
                calls,
                Constructions(inf, arguments, places).find(module.path),
                cache_calls(inf, templates, arguments, places, module.path),
            )
        )
    return Linked(ProjectUses(tuple(found)), frozenset(inf.wanted), inf.given_up)
