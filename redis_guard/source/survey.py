"""The first look into one file: its bytes, and what they tell without parsing.

Law of this file: the bytes are not kept. A large project's source does not fit in memory twice.
"""

import codecs

from redis_guard.source.cache import Entry, content_digest
from redis_guard.source.imports import read_imports
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.sieve import mentions_client
from redis_guard.source.tree import Tree

_OWN_WORD = b"redis-guard:"
"""An allow comment has to be judged even where nothing is left to silence."""

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""No word is seen in such bytes, so whoever reads the file has to say that he cannot."""


def survey_file(tree: Tree, path: str) -> Entry | Unreadable:
    """Read one file of the tree and note digest, imports and whether it mentions a client."""
    stat = tree.files[path]
    data = read_bytes(tree.full(path), stat.size)
    if isinstance(data, Unreadable):
        return data
    imports = read_imports(data)
    tokens = b" ".join(sorted(imports.tokens))
    mentions = _OWN_WORD in data or data.startswith(_WIDE) or mentions_client(data, imports)
    return Entry(stat, content_digest(data), mentions, tokens)
