"""What earlier runs learned about each file, and the last result, in one file.

Law of this file: it never fails a run. What cannot be read is forgotten and what cannot be written
is left, each with one line of warning. Facts and results are bytes of their owners, who must decode
them in a way that executes nothing (no pickle), because a cloned repository may bring a cache along.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from redis_guard.source.cache_file import (
    DIGEST_SIZE,
    NOTHING,
    Columns,
    pack_lengths,
    pack_paths,
    pack_stats,
    read_columns,
    unpack_lengths,
    unpack_paths,
    unpack_stats,
    write_columns,
)
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.tree import FileStat, Tree

_FILE = "cache.bin"
_RACE_NS = 2_000_000_000
"""The coarsest step of a common file system's clock: FAT counts in two seconds."""
_NEVER = -1
_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# This directory is a cache of redis-guard; it may be deleted at any time.
# What this file is for: https://bford.info/cachedir/
"""


class Entry(NamedTuple):
    """What is known of one file's content."""

    stat: FileStat
    digest: bytes
    """`content_digest` of its bytes."""
    mentions: bool
    """Whether it mentions a client: `sieve.mentions_client`."""
    imports: bytes
    """Its import tokens, sorted and parted by spaces."""
    facts: bytes = b""
    """Whatever its owner keeps here; empty for nothing."""

    @property
    def tokens(self) -> frozenset[bytes]:
        """Its import tokens as `imports.import_tokens` gives them."""
        return frozenset(self.imports.split())


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache file's content, taken apart only as far as somebody asks."""

    columns: Columns = NOTHING

    def entries(self) -> dict[str, Entry]:
        """All entries by path; takes time by their number, so ask once."""
        columns = self.columns
        digests = (
            columns.digests[at : at + DIGEST_SIZE] for at in range(0, len(columns.digests), DIGEST_SIZE)
        )
        ends = list(accumulate(unpack_lengths(columns), initial=0))
        facts = (columns.facts[start:end] for start, end in pairwise(ends))
        mentions = map(bool, columns.mentions)
        rows = zip(
            unpack_stats(columns), digests, mentions, columns.imports.split(b"\n"), facts, strict=False
        )
        return dict(zip(unpack_paths(columns), map(Entry._make, rows), strict=False))


def content_digest(data: bytes) -> bytes:
    """What stands for a file's content: BLAKE2b, 16 bytes."""
    return blake2b(data, digest_size=DIGEST_SIZE).digest()


def tree_digest(paths: bytes, digests: bytes, settings: bytes) -> bytes:
    """What stands for a whole tree's content under some settings."""
    digest = blake2b(digest_size=DIGEST_SIZE)
    for part in (paths, digests, settings):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def load_cache(directory: str | os.PathLike[str], key: str) -> tuple[Cache, str | None]:
    """Read the cache in `directory`; with a warning where it is there and of no use.

    `key` is all, beside this tool's version, that the entries depend on: interpreter, configuration.
    """
    path = Path(directory) / _FILE
    if not os.path.lexists(path):
        return Cache(), None
    data = read_bytes(str(path))
    if isinstance(data, Unreadable):
        return Cache(), f"cache ignored: {path}: {data.reason}"
    try:
        return Cache(read_columns(data, key) or NOTHING), None
    except ValueError as error:
        return Cache(), f"cache ignored: {path}: broken ({error})"


def save_cache(
    directory: str | os.PathLike[str],
    key: str,
    tree: Tree,
    entries: Mapping[str, Entry],
    result: tuple[bytes, bytes] | None = None,
) -> str | None:
    """Replace the cache in `directory` by these entries; a warning where that is not possible.

    `result` is the settings it holds for, and the bytes to keep. The file is replaced in one step,
    and only if it changes; of two runs at the same time the later one wins.
    """
    path = Path(directory) / _FILE
    data = write_columns(_columns(entries, tree.seen_ns, result), key)
    if read_bytes(str(path)) == data:
        return None
    try:
        _make_directory(path.parent)
        _replace(path, data)
    except OSError as error:
        return f"cache not written: {path}: {error.strerror or error}"
    return None


def _columns(entries: Mapping[str, Entry], seen_ns: int, result: tuple[bytes, bytes] | None) -> Columns:
    ordered = sorted(entries.items())
    rows = [entry for _, entry in ordered]
    paths = pack_paths(path for path, _ in ordered)
    digests = b"".join([entry.digest for entry in rows])
    return Columns(
        paths=paths,
        stats=pack_stats(trusted(entry.stat, seen_ns) for entry in rows),
        digests=digests,
        mentions=bytes([entry.mentions for entry in rows]),
        imports=b"\n".join([entry.imports for entry in rows]),
        fact_lengths=pack_lengths(entry.facts for entry in rows),
        facts=b"".join([entry.facts for entry in rows]),
        result_digest=tree_digest(paths, digests, result[0]) if result else b"",
        result=result[1] if result else b"",
    )


def trusted(stat: FileStat, seen_ns: int) -> FileStat:
    """A stat that matches none, where the file may have changed again within one step of the clock."""
    if max(stat.mtime_ns, stat.ctime_ns) < seen_ns - _RACE_NS:
        return stat
    return FileStat(stat.size, _NEVER, _NEVER)


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        return
    # Only in a directory of our own: elsewhere `*` would hide other people's files from git.
    (directory / ".gitignore").write_text("*\n", encoding="ascii")
    (directory / "CACHEDIR.TAG").write_text(_TAG, encoding="ascii")


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
