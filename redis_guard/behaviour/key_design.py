"""Keys as somebody designed them: each template once in a file, with its text and its variables.

Law of this file: only keys with text of their own, outside tests; what a variable brings along is not judged.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.families import speaks
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses

_SEGMENTS = re.compile(r"[^A-Za-z0-9]+")
_SAMPLES = re.compile(r"(^|/)(examples?|benchmarks?|docs?|demos?|samples?|scripts?)/", re.IGNORECASE)


def designed(module: ModuleUses) -> Iterator[tuple[Call, Key]]:
    """The first call in the file for each template."""
    if module.test:
        return
    seen: set[str] = set()
    for call in module.calls:
        for key in call.keys:
            if speaks(key) and key.template not in seen:
                seen.add(key.template)
                yield call, key


def segments(key: Key) -> tuple[str, ...]:
    """Its words, as written: `CACHE`, `user`."""
    return tuple(word for word in _SEGMENTS.split(_text(key)) if word)


def variables(key: Key) -> tuple[str, ...]:
    """What fills its holes, by the last part of the name, in lower case: `email` for `user.email`."""
    return tuple(_last(piece.name) for piece in key.pieces if isinstance(piece, Hole))


def is_sample(path: str) -> bool:
    """An example, a benchmark or the like, by where it lies."""
    return _SAMPLES.search(path) is not None


def _text(key: Key) -> str:
    return "\0".join(piece for piece in key.pieces if isinstance(piece, str))


def _last(name: str) -> str:
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", name)
    return words[-1].lower() if words else ""
