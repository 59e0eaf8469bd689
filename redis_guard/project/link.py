"""ModuleFacts of many files -> ProjectUses: the whole of linking behind one function.

Law of this file: the answer depends on the facts and the settings alone.
"""

import traceback
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, replace

from redis_guard.facts.model import ModuleFacts
from redis_guard.finding import INTERNAL_ERROR
from redis_guard.project.arguments import Arguments
from redis_guard.project.cache_calls import cache_calls
from redis_guard.project.calls import Calls
from redis_guard.project.catching import Catching
from redis_guard.project.constructions import Constructions
from redis_guard.project.filling import Filling
from redis_guard.project.holdings import Holdings
from redis_guard.project.index import ProjectIndex
from redis_guard.project.inference import Inference
from redis_guard.project.lasting import Lasting
from redis_guard.project.lent import Lending
from redis_guard.project.lock_objects import LockObjects
from redis_guard.project.lua_texts import LuaTexts
from redis_guard.project.meanwhile import Meanwhile
from redis_guard.project.model import DEFAULT_SERVER, ModuleUses, ProjectUses, ServerVersion
from redis_guard.project.names import ModuleNames
from redis_guard.project.places import Places
from redis_guard.project.runtime_calls import RuntimeCalls
from redis_guard.project.sheltering import Sheltering
from redis_guard.project.sites import uses
from redis_guard.project.tables import Tables
from redis_guard.project.templates import Templates
from redis_guard.project.urls import Urls
from redis_guard.room import room


@dataclass(frozen=True, slots=True)
class Settings:
    """What linking is told: configured names, whether names alone may speak, which paths are tests, which server."""

    clients: frozenset[str] = frozenset()
    not_clients: frozenset[str] = frozenset()
    guess: bool = True
    is_test: Callable[[str], bool] = lambda path: False
    coordination: str = ""
    """The dotted name of the runtime's coordination object, where it is configured."""
    server: ServerVersion = DEFAULT_SERVER
    """The oldest one that the code has to work with."""


@dataclass(frozen=True, slots=True)
class Linked:
    """The uses of a project, how many questions inference gave up on, and errors inside the tool."""

    project: ProjectUses
    given_up: int
    tracebacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linking:
    """A project of which questions can be asked, before its uses are listed."""

    modules: tuple[ModuleFacts, ...]
    inference: Inference
    settings: Settings


def start(
    modules: Iterable[ModuleFacts],
    names: ModuleNames,
    settings: Settings,
    read: MutableMapping[str, Tables] | None = None,
) -> Linking:
    """Index the facts; nothing is inferred yet. `read` keeps the tables of modules for the next time."""
    loaded = tuple(sorted(modules, key=lambda facts: facts.path))
    index = ProjectIndex(loaded, names, read)
    inference = Inference(
        index,
        clients=settings.clients,
        not_clients=settings.not_clients,
        coordination=settings.coordination,
    )
    return Linking(loaded, inference, settings)


def finish(linking: Linking) -> Linked:
    """List everything the project does with Redis."""
    inf, settings = linking.inference, linking.settings
    templates = Templates(inf)
    arguments = Arguments(inf, templates)
    urls = Urls(inf, templates, settings.is_test)
    lua = LuaTexts(inf, templates.origins, settings.is_test)
    runtime = RuntimeCalls(inf, templates.origins, settings.is_test)
    found: list[ModuleUses] = []
    tracebacks: list[str] = []
    for module in linking.modules:
        try:
            found.append(_module(module, inf, templates, arguments, runtime, lua, urls, settings))
        except Exception as error:  # whatever odd code trips inference must not cost the other files
            tracebacks.append(traceback.format_exc())
            said = (
                f"could not be analysed ({INTERNAL_ERROR}{type(error).__name__}: {error}); please report it"
            )
            found.append(ModuleUses(module.path, settings.is_test(module.path), (), (), (), (1, 1, said)))
    try:
        lending = Lending(inf, templates, arguments, found)
        found = [replace(module, lent=lending.to_module(module)) for module in found]
    except Exception:  # what helpers do is extra knowledge: without it, each function is judged by itself
        tracebacks.append(traceback.format_exc())
    try:
        sheltering = Sheltering(inf, Catching(inf, templates.origins))
        filling = Filling(inf, found)
        found = [filling.to_module(sheltering.to_module(module)) for module in found]
    except Exception:  # without it, a WATCH and a pipeline are judged by their own functions
        tracebacks.append(traceback.format_exc())
    return Linked(ProjectUses(tuple(found), settings.server), inf.given_up, tuple(tracebacks))


def link(modules: Iterable[ModuleFacts], names: ModuleNames, settings: Settings) -> Linked:
    """Facts to uses in one step, for callers that have all the facts there are."""
    with room(12_000):
        return finish(start(modules, names, settings))


def _module(
    module: ModuleFacts,
    inf: Inference,
    templates: Templates,
    arguments: Arguments,
    runtime: RuntimeCalls,
    lua: LuaTexts,
    urls: Urls,
    settings: Settings,
) -> ModuleUses:
    test = settings.is_test(module.path)
    if not module.scopes:
        return ModuleUses(module.path, test, (), (), (), module.error)
    places = Places(module, inf.index.tables[module.path].free)
    found = uses(inf, module.path, guess=settings.guess)
    calls, taking = Calls(inf, templates, arguments, places, lua).build(module.path, found)
    built = Constructions(inf, arguments, places, urls).find(module.path)
    cached = cache_calls(inf, templates, arguments, places, taking, module.path)
    objects = LockObjects(inf, templates.origins, arguments)
    meanwhile = Meanwhile(inf, Lasting(inf, arguments), places, taking, module)
    held = Holdings(inf, templates, objects, places, meanwhile, taking, module.path).find(calls, built)
    named = runtime.find(module.path, places)
    texts = runtime.texts(module.path, named)
    return ModuleUses(
        module.path, test, calls, built, cached,
        runtime_calls=named, comparisons=tuple(taking.comparisons()), handed=tuple(taking.handed()), texts=texts,
        runtime_steps=tuple(runtime.steps(module.path, places)), held=held,
        server=settings.server, given_urls=module.given_urls,
    )  # fmt: skip
