"""The files of a project and their bytes, wherever these come from.

Law of this file: cheap to import; a run that judges nothing anew needs no more than this.
"""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from redis_guard.source.cache import Entry
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.tree import Tree

if TYPE_CHECKING:
    from redis_guard.project.kept import Kept


@dataclass(slots=True)
class Counters:
    """What a run had to do so far; tests ask these instead of a clock, and people who wait are told them."""

    surveyed: int = 0
    """Files read to see whether they matter."""
    parsed: int = 0
    """Files given to libcst."""
    received: int = 0
    """Those of them whose facts have come back."""
    rounds: int = 0
    """Turns of the fixed point of the sieve."""


@dataclass(slots=True)
class Sources:
    """The files of a project: on disk, remembered, or laid over (an editor's buffer, standard input)."""

    tree: Tree
    entries: dict[str, Entry]
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    unreadable: dict[str, Unreadable] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)
    kept: "Kept | None" = None
    """What the process knows of files that have not changed."""

    def data(self, path: str) -> bytes | None:
        if path in self.overlay:
            return self.overlay[path]
        found = read_bytes(self.tree.full(path))
        return None if isinstance(found, Unreadable) else found

    def marked(self, path: str) -> bool:
        """Whether a file begins with a byte order mark."""
        return (self.data(path) or b"").startswith(codecs.BOM_UTF8)

    def tree_path(self, path: str) -> Path:
        return Path(self.tree.full(path))

    def text(self, path: str) -> str | None:
        """The text of a file, None where it cannot be read."""
        data = self.data(path)
        if data is None:
            return None
        from redis_guard.source.text import decode

        found = decode(data)
        return None if isinstance(found, Unreadable) else found.text
