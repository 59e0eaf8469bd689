"""Registry files -> Registry.

Law of this file: the whole set is read before anything is said, and everything that is wrong is said at once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redis_guard.plain_files import read_plain
from redis_guard.registry.declarations import (
    by_key_and_instance,
    by_name,
    check_owners,
    declared,
    read_owners,
)
from redis_guard.registry.fields import Fields
from redis_guard.registry.keyspaces import read_keyspace
from redis_guard.registry.model import Registry
from redis_guard.registry.names import USE_CASE_NAME
from redis_guard.registry.overlaps import overlapping_keys, shared_prefixes
from redis_guard.registry.problems import Place, Problem, RegistryError
from redis_guard.registry.settings import read_settings
from redis_guard.registry.tree import Scalar, UnreadableError
from redis_guard.registry.use_cases import read_use_case


@dataclass(frozen=True, slots=True)
class Source:
    """One registry file: what messages call it, and how its content is had."""

    name: str
    read: Callable[[], bytes]
    """Raises OSError."""


def source_of(name: str, path: Path) -> Source:
    """The regular file at `path`, which messages call `name`."""
    return Source(name, partial(read_plain, path))


def load_registry(paths: Sequence[Path]) -> Registry:
    """The registry in these files, which form one set; none gives the empty registry.

    Raises `RegistryError` with every problem, overlapping keys among them. Shared prefixes are warnings
    and stay in the registry's `problems`.
    """
    return load_sources(_files(paths))


def load_sources(sources: Sequence[Source]) -> Registry:
    """The same of sources, which need not be files of the disk; their names must differ."""
    registry = read_sources(sources)
    if overlapping := tuple(problem for problem in registry.problems if problem.kind == "overlapping-keys"):
        raise RegistryError(overlapping)
    return registry


def read_registry(paths: Sequence[Path]) -> Registry:
    """As `load_registry`, but overlapping keys alone do not end it: they stay in `problems` for a rule."""
    return read_sources(_files(paths))


def _files(paths: Sequence[Path]) -> list[Source]:
    return [source_of(path.as_posix(), path) for path in dict.fromkeys(paths)]


def read_sources(sources: Sequence[Source]) -> Registry:
    """As `read_registry`, of sources whose names differ."""
    problems: list[Problem] = []
    order = {source.name: index for index, source in enumerate(sources)}
    files = [top for source in sources if (top := _top(source, problems))]
    settings = read_settings(files, problems)
    owners = read_owners(files)
    cases = declared(files, "use_cases", "use case", by_name, USE_CASE_NAME)
    spaces = declared(files, "keyspaces", "keyspace", by_key_and_instance)
    if len(files) == len(order):
        check_owners(owners, [fields for _, fields in (*cases, *spaces)], problems)
    use_cases = [case for name, fields in cases if (case := read_use_case(name, fields, settings))]
    keyspaces = tuple(space for key, fields in spaces if (space := read_keyspace(key, fields)))
    overlapping = overlapping_keys((*use_cases, *keyspaces))
    if problems:
        raise RegistryError(_in_order({*problems, *overlapping}, order))
    return Registry(
        namespace=settings.namespace,
        owners=owners,
        use_cases={case.name: case for case in use_cases},
        keyspaces=keyspaces,
        abbreviations=settings.abbreviations,
        vocabulary=settings.vocabulary,
        prefixes=settings.prefixes,
        limits=settings.limits,
        deadline_ms=settings.deadline_ms,
        connect_deadline_ms=settings.connect_deadline_ms,
        problems=_in_order((*overlapping, *shared_prefixes((*use_cases, *keyspaces))), order),
    )


def _in_order(problems: Iterable[Problem], order: Mapping[str, int]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda it: (order[it.path], it.line, it.column, it.message)))


def _top(source: Source, problems: list[Problem]) -> Fields | None:
    """The fields of one file, or None when there is nothing to read further."""
    # A run without a registry is spared the time that loading PyYAML takes.
    from redis_guard.registry.yaml_reader import read_tree

    start = Place(source.name, 1, 1)
    try:
        content = source.read()
        node = read_tree(source.name, content.decode("utf-8-sig"), problems)
    except OSError as error:
        problems.append(Problem.at(start, "unreadable-file", f"cannot be read: {error.strerror or error}"))
        return None
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        place = Place(source.name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"the byte 0x{error.object[error.start]:02X} is not UTF-8; save the file in that encoding"
        problems.append(Problem.at(place, "bad-yaml", message))
        return None
    except UnreadableError as error:
        problems.append(error.problem)
        return None
    if node is None or (isinstance(node, Scalar) and node.tag == "null"):
        problems.append(
            Problem.at(start, "missing-field", 'the file is empty; a registry begins with "version: 1"')
        )
        return None
    return Fields.of(node, "registry", node.place, problems)
