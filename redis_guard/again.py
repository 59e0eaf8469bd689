"""A project judged again and again by one process, which keeps what it knows of files that have not changed.

Law of this file: a hasty look may miss who else has come to use a client; what it says is no more than a first word,
and the thorough look that follows says what a fresh run would say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from redis_guard.analysis import Analysis, analyse, analysed, asked_about, cache_key, settings_digest
from redis_guard.config import Config
from redis_guard.judging import judge
from redis_guard.project.candidates import survey
from redis_guard.project.kept import Kept
from redis_guard.project.sources import Sources
from redis_guard.source.cache import Entry, load_cache, save_cache, trusted
from redis_guard.source.recall import Recall, compare
from redis_guard.source.tree import Tree
from redis_guard.stored import Judgement, decode, encode


@dataclass(slots=True)
class Memory:
    """What one process knows of one project; changed by every look."""

    kept: Kept = field(default_factory=Kept)
    entries: dict[str, Entry] = field(default_factory=dict)
    tree: Tree | None = None
    """The files as the last look found them."""
    judgement: Judgement | None = None
    settings: bytes = b""
    """What the judgement depends on beside the files."""


@dataclass(frozen=True, slots=True)
class Look:
    """A hasty look: the answer, and the files that are new, gone, or not what they were."""

    analysis: Analysis
    changed: frozenset[str]


def first(
    config: Config, paths: Sequence[str], memory: Memory, *, use_cache: bool, jobs: int | None
) -> Analysis:
    """An ordinary run, whose cache the later looks begin from. Raises what `analyse` raises."""
    analysis = analyse(config, paths, use_cache=use_cache, jobs=jobs)
    entries = analysis.sources.entries
    if use_cache and not entries:  # its result was the cache's
        entries = load_cache(config.cache_dir, cache_key())[0].entries()
    memory.kept = Kept(wanted=frozenset(analysis.judgement.analysed))
    memory.entries, memory.tree = entries, analysis.sources.tree
    return analysis


def hasty(config: Config, paths: Sequence[str], memory: Memory, *, jobs: int | None) -> Look:
    """What the files say now, provided that the same ones are worth parsing as before. Raises Mistake."""
    asked = asked_about(config, paths, {})
    before = memory.tree
    if before is None or before.root != asked.tree.root:
        memory.entries, memory.kept, memory.judgement, before = {}, Kept(), None, None
    known, unknown, _ = compare(_trusted(memory.entries, before), asked.tree)
    sources = survey(asked.tree, Recall(None, known, unknown), {})
    sources.kept, memory.kept.hasty = memory.kept, True
    gone = frozenset() if before is None else before.files.keys() - asked.tree.files.keys()
    settings, tracebacks = settings_digest(config), tuple[str, ...]()
    judgement = memory.judgement
    if (
        judgement is None
        or gone
        or settings != memory.settings
        or not _idle(unknown, sources, judgement, before)
    ):
        judgement, tracebacks = judge(config, sources, jobs)
    memory.entries, memory.tree = sources.entries, asked.tree
    memory.judgement, memory.settings = judgement, settings
    return Look(analysed(asked, judgement, sources, (), tracebacks), frozenset(unknown) | gone)


def thorough(config: Config, analysis: Analysis) -> bytes:
    """The judgement of a fresh run over the files of a hasty look, as bytes."""
    assert analysis.sources.kept is not None
    analysis.sources.kept.hasty = False
    return encode(judge(config, analysis.sources, 1)[0])


def settled(
    config: Config, analysis: Analysis, data: bytes, memory: Memory, *, use_cache: bool
) -> Analysis | None:
    """The hasty look put right by the thorough one's bytes; None where there was nothing to put right."""
    judgement = decode(data)
    if judgement is None:
        return None
    memory.judgement, memory.kept.wanted = judgement, frozenset(judgement.analysed)
    if use_cache:
        result = (settings_digest(config), data)
        save_cache(config.cache_dir, cache_key(), analysis.sources.tree, analysis.sources.entries, result)
    same = (judgement.findings, judgement.marks) == (analysis.judgement.findings, analysis.judgement.marks)
    return None if same else replace(analysis, judgement=judgement)


def overlaid(
    config: Config, before: Analysis, overlay: Mapping[str, bytes], *, use_cache: bool, jobs: int | None
) -> Analysis:
    """The same question about the same project, with these bytes in place of those on disk."""
    tree = before.sources.tree
    entries = before.sources.entries
    if use_cache and not entries:  # its result was the cache's
        entries = load_cache(config.cache_dir, cache_key())[0].entries()
    known, unknown, _ = compare(entries, tree)
    sources = survey(tree, Recall(None, known, unknown), overlay)
    judgement, tracebacks = judge(config, sources, jobs)
    return replace(before, judgement=judgement, sources=sources, warnings=(), tracebacks=tracebacks)


def _trusted(entries: dict[str, Entry], seen: Tree | None) -> dict[str, Entry]:
    """A file may change twice within one step of the clock."""
    if seen is None:
        return {}
    return {path: entry._replace(stat=trusted(entry.stat, seen.seen_ns)) for path, entry in entries.items()}


def _idle(changed: Sequence[str], sources: Sources, judgement: Judgement, before: Tree | None) -> bool:
    """Whether no changed file had a part in the judgement, or asks for one."""
    if before is None:
        return False
    taking_part = frozenset(judgement.analysed)
    return all(
        path in before.files
        and path not in taking_part
        and path in sources.entries
        and not sources.entries[path].mentions
        for path in changed
    )
