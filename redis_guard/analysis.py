"""A project read and judged: the part that every door shares.

Law of this file: knowledge comes from the whole project, whatever is to be reported; what an earlier run found out
about the same files and settings is not found out again.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redis_guard import __version__
from redis_guard.config import Config
from redis_guard.plain_files import read_plain
from redis_guard.project.sources import Counters, Sources
from redis_guard.source.cache import Cache, load_cache, save_cache
from redis_guard.source.discover import discover
from redis_guard.source.recall import recall
from redis_guard.source.requested import Requested, requested
from redis_guard.source.tree import Tree
from redis_guard.stored import Judgement, decode, encode


@dataclass(frozen=True, slots=True)
class Analysis:
    """A judged project and the files that were asked about."""

    judgement: Judgement
    reported: frozenset[str]
    registry: frozenset[str]
    """The registry's files that are reported on, as `Config.registry_names` has them."""
    whole: bool
    """Nothing was left out of the report."""
    sources: Sources
    counters: Counters
    warnings: tuple[str, ...]
    tracebacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a project, before anything is known of its files."""

    tree: Tree
    reported: frozenset[str]
    registry: frozenset[str]
    whole: bool


def analyse(
    config: Config,
    paths: Sequence[str | os.PathLike[str]] = (),
    *,
    overlay: Mapping[str, bytes] | None = None,
    use_cache: bool = True,
    jobs: int | None = None,
    counters: Counters | None = None,
) -> Analysis:
    """Judge the project of `config`, and say which of its files `paths` mean.

    `overlay` has the bytes of files that are not as they are on disk; without paths they are what is
    reported. `counters` are kept up as the work goes on. Raises PathError for a path that cannot be checked and
    RegistryError for a broken registry.
    """
    overlay = overlay or {}
    asked = asked_about(config, paths, overlay)
    settings = settings_digest(config)
    warnings: list[str] = []
    cache, key = Cache(), cache_key()
    if use_cache:
        cache, warning = load_cache(config.cache_dir, key)
        warnings += [warning] if warning else []
    known = recall(cache, asked.tree, settings)
    if known.result is not None and not overlay and (judgement := decode(known.result)) is not None:
        if use_cache and known.refreshed:
            save_cache(config.cache_dir, key, asked.tree, known.known, (settings, known.result))
        return analysed(asked, judgement, Sources(asked.tree, {}), warnings)
    if known.result is not None and not known.known:
        known = recall(Cache(), asked.tree, settings)

    from redis_guard.judging import judge
    from redis_guard.project.candidates import survey

    sources = survey(asked.tree, known, overlay, counters)
    judgement, tracebacks = judge(config, sources, jobs)
    if use_cache and not overlay:
        warning = save_cache(
            config.cache_dir, key, asked.tree, sources.entries, (settings, encode(judgement))
        )
        warnings += [warning] if warning else []
    return analysed(asked, judgement, sources, warnings, tracebacks)


def asked_about(
    config: Config, paths: Sequence[str | os.PathLike[str]], overlay: Mapping[str, bytes]
) -> Asked:
    """The project's files as they are now, and which of them the paths mean. Raises PathError."""
    exclude = config.exclude
    tree = discover(config.root, exclude=exclude)
    others = [path for path in paths if _absolute(path) not in config.registry]
    asked = requested(tree, others, exclude=exclude) if others or not paths else Requested(tree, frozenset())
    reported = frozenset(overlay) if overlay and not paths else asked.paths
    whole = len(reported) >= len(tree.files) and not overlay
    registry = frozenset(config.registry_names) if whole else _named(paths, config)
    return Asked(asked.tree, reported, registry, whole)


def analysed(
    asked: Asked,
    judgement: Judgement,
    sources: Sources,
    warnings: Iterable[str] = (),
    tracebacks: tuple[str, ...] = (),
) -> Analysis:
    """A judgement as the answer to what was asked."""
    return Analysis(
        judgement, asked.reported, asked.registry, asked.whole,
        sources, sources.counters, tuple(warnings), tracebacks,
    )  # fmt: skip


def surveyed(
    config: Config, paths: Sequence[str | os.PathLike[str]] = (), *, use_cache: bool = True
) -> tuple[Sources, frozenset[str], list[str]]:
    """The project's files looked at but not judged, which of them `paths` mean, and warnings. Raises PathError."""
    from redis_guard.project.candidates import survey

    asked = requested(discover(config.root, exclude=config.exclude), paths, exclude=config.exclude)
    cache, warning = load_cache(config.cache_dir, cache_key()) if use_cache else (Cache(), None)
    known = recall(cache, asked.tree, b"nobody's judgement")
    return survey(asked.tree, known, {}), asked.paths, [warning] if warning else []


def remember(config: Config, sources: Sources) -> list[str]:
    """Keep the facts of a run that judged nothing; warnings."""
    warning = save_cache(config.cache_dir, cache_key(), sources.tree, sources.entries)
    return [warning] if warning else []


def cache_key() -> str:
    """What the cache depends on beside this tool's version: the interpreter, and this very copy of the tool."""
    return f"{sys.version_info[0]}.{sys.version_info[1]} {_build()}"


def _build() -> str:
    """This very copy of the tool: its version and the state of its files."""
    digest = hashlib.blake2b(__version__.encode(), digest_size=16)
    for row in sorted(_states(Path(__file__).parent)):
        digest.update(row.encode())
    return digest.hexdigest()


def _states(folder: Path) -> Iterable[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _states(Path(entry.path))
            elif entry.name.endswith((".py", ".json")):
                state = entry.stat()
                yield f"{entry.path} {state.st_size} {state.st_mtime_ns}"


def _absolute(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 # links keep the name that the configuration has too


def _named(paths: Iterable[str | os.PathLike[str]], config: Config) -> frozenset[str]:
    """The registry's files among the paths, or below one of them."""
    named = [_absolute(path) for path in paths]
    return frozenset(
        name
        for name, file in zip(config.registry_names, config.registry, strict=True)
        if any(file.is_relative_to(path) for path in named)
    )


def _registry_bytes(path: Path) -> bytes:
    """A registry file's bytes; for one that cannot be read, what no sound one holds: its reader says why."""
    try:
        return read_plain(path)
    except OSError:
        return b"\0"


def settings_digest(config: Config) -> bytes:
    """All that a judgement depends on beside the files of the project."""
    digest = hashlib.blake2b(digest_size=16)
    parts = (
        config.clients,
        config.not_clients,
        config.guess,
        config.src,
        config.coordination,
        config.registry_names,
        config.target_server,
    )
    digest.update(repr(parts).encode("utf-8", "surrogateescape"))
    for data in map(_registry_bytes, config.registry):
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()
