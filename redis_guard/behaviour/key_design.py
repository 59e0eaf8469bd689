"""Keys as somebody designed them: each template once in a file, with its words and its variables.

Law of this file: only keys with words of their own, outside samples; what a variable brings along is
not judged.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.families import LEAST_TEXT
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses

_SEGMENTS = re.compile(r"[^A-Za-z0-9]+")
_LETTERS = re.compile(r"[^\W\d_]")
_HEAD, _TAIL = re.compile(r"^[A-Za-z0-9]+"), re.compile(r"[A-Za-z0-9]+$")
_SAMPLES = re.compile(r"(^|/)(examples?|benchmarks?|docs?|demos?|samples?|tutorials?)/", re.IGNORECASE)
_OPERATIONS = re.compile(
    r"(^|/)(scripts?|bin|tools?|deploy|deployment|ops|maintenance|management/commands|migrations?)/"
    r"|(^|/)(fabfile|manage)\.py$|migrat[^/]*\.py$",
    re.IGNORECASE,
)


def designed(module: ModuleUses) -> Iterator[tuple[Call, Key]]:
    """The first call in the file for each template, whatever its variables are called."""
    if is_sample(module.path):
        return
    seen: set[str] = set()
    for call in module.calls:
        for key in call.keys:
            if key.shape not in seen and len(_LETTERS.findall(key.literal)) >= LEAST_TEXT:
                seen.add(key.shape)
                yield call, key


def segments(key: Key) -> tuple[str, ...]:
    """Its words, as written: `CACHE`, `user`. What a variable is glued to is no word: `v` in `v{version}`."""
    words: list[str] = []
    for number, piece in enumerate(key.pieces):
        if isinstance(piece, Hole):
            continue
        text = _HEAD.sub("", piece) if number else piece
        text = _TAIL.sub("", text) if number < len(key.pieces) - 1 else text
        words += [word for word in _SEGMENTS.split(text) if word]
    return tuple(words)


def variables(key: Key) -> tuple[str, ...]:
    """What fills its holes, by name."""
    return tuple(piece.name for piece in key.pieces if isinstance(piece, Hole))


def is_sample(path: str) -> bool:
    """An example, a benchmark or the like, by where it lies."""
    return _SAMPLES.search(path) is not None


def is_for_operations(path: str) -> bool:
    """What a person or a deployment runs at a moment of their choice, by where it lies."""
    return _OPERATIONS.search(path) is not None
