"""The steps of a start, in an order in which an interruption leaves nothing that refers to what is not there.

Law of this file: everything is read and judged before the first file is written.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redis_guard.check import check, configured
from redis_guard.config import DEFAULT_REGISTRY, TEST_ESCAPE, Config
from redis_guard.init.hooks import add_hooks
from redis_guard.init.module import Coordination, chosen, existing, module_path, module_text
from redis_guard.init.place import place
from redis_guard.init.settings import Pyproject, add_table, read_pyproject, table
from redis_guard.init.steps import Step, create
from redis_guard.inventory import Taken, take_of
from redis_guard.judging import registry_of
from redis_guard.options import Options
from redis_guard.plain_files import is_there
from redis_guard.project.model import Call
from redis_guard.report.inventory_yaml import to_yaml
from redis_guard.silence.paths import matcher
from redis_guard.source.discover import discover


def init(paths: Sequence[str] = (), *, jobs: int | None = None, use_cache: bool = True) -> Iterator[Step]:
    """Start redis-guard in the project around `paths`; a step for each file, as it is done.

    `paths` say what the registry is drafted from. Raises Mistake (of path, configuration, registry, or a file that
    cannot be written) with clear lines; what was written until then stays and is whole.
    """
    config = place(paths)
    pyproject = read_pyproject(config.root)
    registry_of(config)  # one that is broken would be told after the first files were written
    taken = take_of(config, tuple(paths), jobs=jobs, use_cache=use_cache)
    coordination = _coordination(config, pyproject, taken)
    yield _registry(config, taken)
    yield _module(config, coordination, taken)
    yield _settings(config, pyproject, coordination, taken)
    yield add_hooks(config.root)
    yield _baseline(config.root, jobs, use_cache)


def _registry(config: Config, taken: Taken) -> Step:
    if config.registry:
        return Step("left alone", ", ".join(config.registry_names), "it exists already")
    proposed = [group.proposal.section for group in taken.inventory.groups if group.proposal is not None]
    cases, spaces = proposed.count("use_cases"), proposed.count("keyspaces")
    drafted = f"{_count(cases, 'use case')} and {_count(spaces, 'keyspace')} drafted"
    note = f'{drafted}; decide what is marked "review"'
    return create(
        config.root, DEFAULT_REGISTRY, to_yaml(taken.inventory), note if proposed else "empty, with examples"
    )


def _coordination(config: Config, pyproject: Pyproject, taken: Taken) -> Coordination | None:
    """The object that the settings name, else the one that the code has, else a new one; None where none can be."""
    files = discover(config.root, exclude=config.exclude).files
    if config.coordination is not None:
        inside = [path for path in config.src if path.is_relative_to(config.root)]
        roots = [path.relative_to(config.root).as_posix() for path in inside]
        path = module_path(config.coordination, roots, config.root)
        return None if path is None else Coordination(path, config.coordination, path in files)
    found = existing(taken.project, lambda path: (config.root / path).read_bytes())
    return found or chosen(files, [call.path for call in _product(taken)], _name(pyproject))


def _module(config: Config, coordination: Coordination | None, taken: Taken) -> Step:
    if coordination is None:
        said = config.coordination or "coordination.py and redis_coordination.py"
        note = (
            "there is no place for it" if config.coordination else "both are there, and hold no Coordination"
        )
        return Step("left alone", said, note)
    if coordination.exists:
        return Step("left alone", coordination.path, "it has the coordination object already")
    calls = _product(taken)
    asynchronous = 2 * sum(call.asynchronous for call in calls) > len(calls)
    text = module_text(coordination.path, config.registry_names or (DEFAULT_REGISTRY,), asynchronous)
    return create(
        config.root,
        coordination.path,
        text,
        f"the coordination object{', for asyncio' if asynchronous else ''}",
    )


def _settings(config: Config, pyproject: Pyproject, coordination: Coordination | None, taken: Taken) -> Step:
    if config.source is not None:
        note = "it has a table [tool.redis-guard] already"
        if config.coordination is None and coordination is not None:
            note += f'; add to it: coordination = "{coordination.dotted}"'
        return Step("left alone", config.source.name, note)
    dotted = None if coordination is None else coordination.dotted
    return add_table(pyproject, table(DEFAULT_REGISTRY, dotted, _builders(taken)))


def _builders(taken: Taken) -> set[str]:
    """The modules that are there to build clients: they do so, and work on no key themselves."""
    is_test = matcher(TEST_ESCAPE.paths)
    build = {found.path for found in taken.findings if found.code == "RG102" and not is_test(found.path)}
    return build - {call.path for call in _product(taken) if call.keys}


def _baseline(root: Path, jobs: int | None, use_cache: bool) -> Step:
    options = Options(paths=(str(root),), jobs=jobs, use_cache=use_cache)
    outcome = check(options)
    number = len(outcome.report.open)
    path = configured(options).baseline
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    if is_there(path):
        lacks = f"; it lacks {_count(number, 'finding')}: `redis-guard check --write-baseline` records them"
        return Step("left alone", shown, f"it exists already{lacks if number else ''}")
    if not number:
        return Step("left alone", shown, "there is nothing to record: `redis-guard check` finds nothing")
    check(Options(paths=(str(root),), jobs=jobs, use_cache=use_cache, write_baseline=True))
    return Step(
        "created", shown, f"{_count(number, 'finding')} of today recorded; from now on new ones count"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _product(taken: Taken) -> list[Call]:
    return [call for module in taken.project.modules if not module.test for call in module.calls]


def _name(pyproject: Pyproject) -> str:
    """What the project is called, else its folder."""
    project = pyproject.tables.get("project")
    name = project.get("name") if isinstance(project, dict) else None
    return name if isinstance(name, str) else pyproject.root.name
