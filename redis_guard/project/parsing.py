"""Files -> facts, in this process or in several.

Law of this file: libcst is imported only when a file really has to be parsed, and a pool only pays for many.
"""

import os
import signal
from collections.abc import Iterable, Iterator, Mapping

from redis_guard.facts.codec import decode, encode
from redis_guard.facts.model import ModuleFacts
from redis_guard.project.sources import Sources
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.text import decode as decode_text

_POOL_FROM = 400_000
"""Fewer bytes than this are parsed sooner than a pool is ready."""


def failed(path: str, reason: Unreadable) -> ModuleFacts:
    return ModuleFacts(path, (), False, (), (reason.line or 1, 1, reason.reason))


def parse_bytes(path: str, data: bytes) -> ModuleFacts:
    """The facts of one file's bytes; an error is a fact too."""
    from redis_guard.facts.build import module_facts

    text = decode_text(data)
    if isinstance(text, Unreadable):
        return failed(path, text)
    return module_facts(path, text.text)


def _parse_file(task: tuple[str, str]) -> ModuleFacts:
    root, path = task
    data = read_bytes(f"{root}/{path}")
    return failed(path, data) if isinstance(data, Unreadable) else parse_bytes(path, data)


def _parse_and_encode(task: tuple[str, str]) -> bytes:
    return encode(_parse_file(task))


def facts_of(sources: Sources, paths: Iterable[str], jobs: int | None) -> dict[str, ModuleFacts]:
    """The facts of `paths`: remembered where the content is, parsed where it is not."""
    found: dict[str, ModuleFacts] = {}
    missing: list[str] = []
    for path in sorted(paths):
        known = _remembered(sources, path)
        if known is not None:
            found[path] = known
        else:
            missing.append(path)
    sources.counters.parsed += len(missing)
    size = sum(sources.entries[path].stat.size for path in missing if path in sources.entries)
    workers = min(jobs or _cores(), len(missing)) if size >= _POOL_FROM else 1
    for facts, data in _parsed(sources.tree.root, sources.overlay, missing, workers):
        sources.counters.received += 1
        found[facts.path] = facts
        if facts.path in sources.entries and facts.path not in sources.overlay:
            sources.entries[facts.path] = sources.entries[facts.path]._replace(facts=data)
            if sources.kept is not None:
                sources.kept.facts[facts.path] = (data, facts)
    return found


def _remembered(sources: Sources, path: str) -> ModuleFacts | None:
    entry = sources.entries.get(path)
    if entry is None or not entry.facts or path in sources.overlay:
        return None
    kept = sources.kept
    if kept is not None and (known := kept.known(path, entry.facts)) is not None:
        return known
    facts = decode(entry.facts)
    if kept is not None and facts is not None:
        kept.facts[path] = (entry.facts, facts)
    return facts


def _parsed(
    root: str, overlay: Mapping[str, bytes], paths: list[str], workers: int
) -> Iterator[tuple[ModuleFacts, bytes]]:
    for path in (path for path in paths if path in overlay):
        yield parse_bytes(path, overlay[path]), b""
    tasks = [(root, path) for path in paths if path not in overlay]
    if workers < 2:
        for task in tasks:
            facts = _parse_file(task)
            yield facts, encode(facts)
        return
    import multiprocessing

    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    # parsed once here, libcst need not be imported by every worker
    import redis_guard.facts.build  # noqa: F401

    with multiprocessing.get_context(method).Pool(workers, _leave_interrupts_to_the_parent) as pool:
        for data in pool.imap_unordered(_parse_and_encode, tasks, chunksize=2):
            known = decode(data)
            assert known is not None  # encoded a moment ago
            yield known, data


def _leave_interrupts_to_the_parent() -> None:
    # Ctrl-C reaches every process of the terminal; one of them ends the work
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    if os.environ.get("PRE_COMMIT") == "1":
        return 1  # pre-commit brings processes of its own
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
