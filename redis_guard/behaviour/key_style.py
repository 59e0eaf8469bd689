"""How the text of a key is written: what divides it, its case, its spaces.

Law of this file: one key at a time, and only what its author decided; names, numbers, addresses and paths that are
the content of a segment are taken as they are.
"""

import re
from itertools import pairwise

from redis_guard.project.keys import Hole, Key

_DELIMITERS = re.compile(r"[:/|.]")
_CONTENT = re.compile(
    r"\w+://[^|\0]*"  # an address
    r"|:/[^:|]*"  # a path
    r"|[^:/|\0]*@[^:/|]*"  # an e-mail address
    r"|\d+(?:\.\d+)+"  # a version
    r"|(?<=[\w-])\.[a-z]{2,4}(?![\w.\0])",  # the end of a host's or a file's name
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]{1,4}")
_JOINS = frozenset(
    "prefix suffix postfix ext extension path tail rest delimiter delim sep separator colon value".split()
)
_PARTS_OF_TIME = frozenset("year month day week hour minute second date time y m d h ymd hms".split())


def style_fault(key: Key) -> str | None:
    """What is wrong, as the end of a sentence that begins with the key."""
    literal = key.literal
    if any(character.isspace() for character in literal):
        return "has a space in it; put `:` between words"
    if len(found := _delimiters(key)) > 1:
        return f"is divided by {' and '.join(f'`{one}`' for one in found)}; one delimiter, `:`, lets others list it"
    if _has_capitals(key):
        return "has capital letters; keys are case-sensitive, and in lower case nobody has to guess"
    if _runs_together(key):
        return (
            "has two variables with nothing between them, so that two pairs may give one key; put `:` there"
        )
    return None


def _delimiters(key: Key) -> list[str]:
    return sorted(set(_DELIMITERS.findall(_CONTENT.sub("", key.shape))))


def _has_capitals(key: Key) -> bool:
    """Short codes that stand behind the first segment are content: `rate:USD`."""
    _, _, rest = key.shape.partition(":")
    codes = {part for part in re.split(r"[:/|.\0]", rest) if _CODE.fullmatch(part)}
    words = (word for word in re.split(r"[:/|.\0]", key.shape) if word not in codes)
    return any(word != word.lower() for word in words)


def _runs_together(key: Key) -> bool:
    """A prefix brings its delimiter along, as does a suffix; parts of a date have their lengths."""
    return any(
        isinstance(one, Hole) and isinstance(other, Hole) and not _brings_delimiter(one, other)
        for one, other in pairwise(key.pieces[1:])
    )


def _brings_delimiter(one: Hole, other: Hole) -> bool:
    ours, theirs = (set(hole.name.lower().split("_")) for hole in (one, other))
    return bool((ours | theirs) & _JOINS) or bool(ours & _PARTS_OF_TIME and theirs & _PARTS_OF_TIME)
