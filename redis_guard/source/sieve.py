"""Whether a file is worth parsing, by its bytes alone.

Law of this file: sound, not exact. A file that makes or receives a client under a name that tells
passes; one that has the word in its prose, its settings or its keys only should not, but may.
Files that use a client under a name that does not tell are found through what they import.
"""

import re
from collections.abc import Iterable, Iterator

from redis_guard.source.imports import Imports, read_imports
from redis_guard.source.prose import any_in_code
from redis_guard.source.telltale import (
    CARRIERS,
    CLIENT_LIBRARIES,
    DJANGO_CACHE,
    ONLY_REDIS,
    OTHER_WORD,
    SETTING,
    WORDS,
)

_ID = rb"[\w\x80-\xff]"
_ID_BYTES = bytes(byte for byte in range(256) if re.match(_ID, bytes([byte])))
_AFTER = re.compile(rb"(?P<rest>[\w\x80-\xff]*+)(?P<asked>\s*+[.(\[])?")
_LOOKED_UP = re.compile(
    rb"""(?:[\w)\]]\[|get\w{0,30}+\((?:[^()"'\n]{0,200},)?)\s{0,50}["']\Z""", re.IGNORECASE
)
"""`app["redis"]`, `getattr(app.state, "redis")`, `ctx.get("redis")`, up to the name."""

_WINDOW = 100
"""Bytes to look at on either side of a word: names are shorter."""

_GIVEN_AWAY = re.compile(rb"""(?:redis|valkey)s?(?:\+\w{1,20})?://[^\s/'":@]{0,100}:[^\s/'"@]{1,200}@""")
"""A URL with a password, which a file of settings may hold without a word of code about Redis."""
_LONGEST_ENDING = 16
_METHOD_CALL = re.compile(rb"\.([a-z][a-z_]*+)[ \t]*+\(")


def mentions_client(data: bytes, imports: Imports | None = None) -> bool:
    """Whether the file imports a client library, or its code speaks of something like a client.

    `imports`, where they are known already, save reading them again.
    """
    found = read_imports(data) if imports is None else imports
    if _imports_client(found, data):
        return True
    lowered = data.lower()
    words = [word for word in WORDS if word in lowered]
    if not words:
        return False
    if _GIVEN_AWAY.search(lowered) or not ONLY_REDIS.isdisjoint(_METHOD_CALL.findall(data)):
        return True
    return _speaks_of_client(data, lowered, words)


def _speaks_of_client(data: bytes, lowered: bytes, words: Iterable[bytes]) -> bool:
    places: list[int] = []
    for place in (place for word in words for place in _places(lowered, word)):
        window = data[max(place - _WINDOW, 0) : place]
        lead = window.rstrip(_ID_BYTES)
        after = _AFTER.match(data, place, place + _WINDOW)
        if after is None or lead.rstrip(b" \t").endswith((b"def", b"class")):
            continue
        name = window[len(lead) :] + after["rest"]
        lowered_name = name.lower()
        if SETTING.search(lowered_name[-_LONGEST_ENDING:]) or OTHER_WORD.search(lowered_name):
            continue
        start = place - len(window) + len(lead)
        if lead.endswith((b"'", b'"')) and _LOOKED_UP.search(data, max(start - 3 * _WINDOW, 0), start):
            return True
        # CONSTANTS and Classes are settings and base classes unless something is asked of them.
        if after["asked"] or name == lowered_name:
            places.append(place)
    return bool(places) and any_in_code(data, sorted(places))


def _places(lowered: bytes, word: bytes) -> Iterator[int]:
    place = lowered.find(word)
    while place >= 0:
        yield place
        place = lowered.find(word, place + len(word))


def _imports_client(imports: Imports, data: bytes) -> bool:
    names = imports.tokens | {module.partition(b".")[0] for module in imports.modules}
    if not CLIENT_LIBRARIES.isdisjoint(names):
        return True
    if DJANGO_CACHE in imports.modules or ({b"django", b"cache"} <= names and b"django.core" in data):
        return True
    return any(
        not libraries.isdisjoint(names) and attribute.search(data) for libraries, attribute in CARRIERS
    )


def mentions_any(data: bytes, names: Iterable[bytes]) -> bool:
    """Whether one of the `names` stands in the file as a word of its own."""
    wanted = frozenset(names)
    # One search through the bytes for each name is faster than taking out all words, up to a point.
    if len(wanted) > 16:
        return not wanted.isdisjoint(re.findall(_ID + rb"++", data))
    return any(name in data and _stands_alone(name, data) for name in wanted)


def _stands_alone(name: bytes, data: bytes) -> bool:
    return re.search(rb"(?<!" + _ID + rb")" + re.escape(name) + rb"(?!" + _ID + rb")", data) is not None
