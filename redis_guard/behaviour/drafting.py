"""Names and key templates as the registry writes them, out of keys as code writes them.

Law of this file: what comes out is valid there, or nothing does.
"""

import re

from redis_guard.project.keys import Hole, Key
from redis_guard.registry import KeyTemplate, TemplateError

LONGEST_NAME = 60
_FILLED = ("name", "namespace")
"""What the registry itself puts into the keys of use cases."""
_UNWRITABLE = re.compile("[\ud800-\udfff]")


class Names:
    """Names that are taken."""

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, wanted: str) -> str:
        """`wanted`, or with the first number that makes it new; it is taken then."""
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def draft_template(key: Key, use_case: bool) -> KeyTemplate | None:
    """The key as the registry writes it; None where the registry could not read it."""
    parts: list[str] = []
    names = Names()
    for number, piece in enumerate(key.pieces):
        if isinstance(piece, str):
            parts.append(piece.replace("{", "{{").replace("}", "}}"))
        elif number == 0 or not isinstance(key.pieces[number - 1], Hole):
            parts.append("{" + _placeholder(piece.name, names, use_case) + "}")
    text = "".join(parts)
    if _UNWRITABLE.search(text) or not text.strip():
        return None
    try:
        return KeyTemplate.parse(text)
    except TemplateError:
        return None


def _placeholder(written: str, names: Names, use_case: bool) -> str:
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", written)
    return names.free(words[-1] if words and not (use_case and words[-1] in _FILLED) else "id")


def draft_name(template: KeyTemplate, names: Names) -> str:
    """A name for a use case, made of the key's own words."""
    literal = " ".join(part for part in template.parts if isinstance(part, str))
    name = "_".join(re.findall(r"[a-z0-9]+", literal.lower()))[:LONGEST_NAME].rstrip("_")
    return names.free(name if name[:1].isalpha() else f"key_{name}".rstrip("_"))


def draft_owner(written: str, names: Names) -> str:
    """A name for an owner: `billing` out of `@org/billing` or `billing@example.org`."""
    word = written.removeprefix("@").partition("@")[0].rpartition("/")[2]
    name = re.sub(r"[^a-z0-9_-]+", "-", word.lower()).lstrip("0123456789_-").rstrip("-")[:LONGEST_NAME]
    return names.free(name or "owner")
