"""The layout of the cache file: a header, then columns of bytes, each with one piece per source file.

Law of this file: whatever bytes come in, out come columns that fit together, or ValueError. Nothing
in a cache file is ever executed, unpickled or unmarshalled: a cloned repository may bring one along.
"""

import os
import struct
import sys
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from hashlib import blake2b
from zlib import crc32

from redis_guard import __version__
from redis_guard.source.tree import FileStat

DIGEST_SIZE = 16
_MAGIC = b"RGCACHE\x01"
_HEADER = struct.Struct("<8s16sI")
_STAT = struct.Struct("<3q")
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Columns:
    """What the file holds; `facts` and `result` belong to others and stay bytes."""

    paths: bytes
    """Sorted, parted by null bytes."""
    stats: bytes
    """Three 64-bit numbers each."""
    digests: bytes
    """Of each file's content, 16 bytes each."""
    mentions: bytes
    """One byte each, 0 or 1."""
    imports: bytes
    """Import tokens parted by spaces, files parted by newlines."""
    fact_lengths: bytes
    """In bytes, one 32-bit number each."""
    facts: bytes
    result_digest: bytes
    """Of the tree and the settings that `result` holds for, or empty."""
    result: bytes

    @property
    def count(self) -> int:
        """How many files."""
        return len(self.digests) // DIGEST_SIZE


NOTHING = Columns(*[b""] * len(fields(Columns)))
_LENGTHS = struct.Struct(f"<{len(fields(Columns))}Q")


def write_columns(columns: Columns, key: str) -> bytes:
    """The file's bytes."""
    parts: tuple[bytes, ...] = astuple(columns)
    body = _LENGTHS.pack(*map(len, parts)) + b"".join(parts)
    return _HEADER.pack(_MAGIC, _key_digest(key), crc32(body)) + body


def read_columns(data: bytes, key: str) -> Columns | None:
    """Take the file's bytes apart; None for a sound file of another key, ValueError for a broken one."""
    if len(data) < _HEADER.size + _LENGTHS.size:
        raise ValueError("too short")
    magic, key_digest, checksum = _HEADER.unpack_from(data)
    if magic[:-1] != _MAGIC[:-1]:
        raise ValueError("not a cache")
    if magic != _MAGIC or key_digest != _key_digest(key):
        return None
    if crc32(memoryview(data)[_HEADER.size :]) != checksum:
        raise ValueError("the checksum differs")
    lengths = _LENGTHS.unpack_from(data, _HEADER.size)
    position = _HEADER.size + _LENGTHS.size
    if position + sum(lengths) != len(data):
        raise ValueError("the lengths differ")
    parts: list[bytes] = []
    for length in lengths:
        parts.append(data[position : position + length])
        position += length
    columns = Columns(*parts)
    _check(columns)
    return columns


def _check(columns: Columns) -> None:
    count = columns.count
    partings = max(count - 1, 0)
    fitting = (
        len(columns.digests) == count * DIGEST_SIZE
        and len(columns.stats) == count * _STAT.size
        and len(columns.mentions) == count
        and len(columns.fact_lengths) == count * _LENGTH.size
        and columns.paths.count(b"\0") == partings
        and columns.imports.count(b"\n") == partings
        and sum(unpack_lengths(columns)) == len(columns.facts)
        and len(columns.result_digest) in (0, DIGEST_SIZE)
    )
    if not fitting:
        raise ValueError("the columns do not fit together")
    os.fsdecode(columns.paths)


def _key_digest(key: str) -> bytes:
    whole = "\0".join((__version__, sys.getfilesystemencoding(), key))
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def pack_paths(paths: Iterable[str]) -> bytes:
    """The column of paths."""
    return os.fsencode("\0".join(paths))


def unpack_paths(columns: Columns) -> list[str]:
    """The paths, as the file system's functions take them."""
    return os.fsdecode(columns.paths).split("\0") if columns.count else []


def pack_stats(stats: Iterable[FileStat]) -> bytes:
    """The column of stats."""
    numbers = [number for stat in stats for number in stat]
    try:
        return struct.pack(f"<{len(numbers)}q", *numbers)
    except struct.error:
        # A time after the year 2262: never equal to what is read back, so content decides.
        return struct.pack(
            f"<{len(numbers)}q", *(number if abs(number) < 1 << 63 else -1 for number in numbers)
        )


def unpack_stats(columns: Columns) -> Iterable[FileStat]:
    """The stats."""
    return map(FileStat._make, _STAT.iter_unpack(columns.stats))


def pack_lengths(facts: Iterable[bytes]) -> bytes:
    """The column of the facts' lengths."""
    lengths = [len(fact) for fact in facts]
    return struct.pack(f"<{len(lengths)}I", *lengths)


def unpack_lengths(columns: Columns) -> tuple[int, ...]:
    """The lengths, in bytes."""
    return struct.unpack(f"<{len(columns.fact_lengths) // _LENGTH.size}I", columns.fact_lengths)
