"""Key templates: `login:{id}:attempts`, `session:{rest*}`, `{{tenant}}:{id}`.

Law of this file: `{name}` stands for one or more characters other than `:`, `{rest*}` for one or more
characters up to the end of the key, `{{` and `}}` for the braces themselves; all else is literal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

LONGEST_TEMPLATE = 512


class TemplateError(ValueError):
    """The text is no key template; the message says why."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A placeholder; `rest` takes `:` too and ends the template."""

    name: str
    rest: bool = False


Part = str | Hole


@dataclass(frozen=True, slots=True)
class KeyTemplate:
    """A template as written (`text`) and as read (`parts`: literal text, unescaped, and holes)."""

    text: str
    parts: tuple[Part, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `text`; raises `TemplateError`."""
        parts = tuple(_parts(text))
        _refuse_ambiguous(parts)
        return cls(text, parts)

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Self:
        """The template of these parts; texts side by side become one, and empty ones none."""
        joined: list[Part] = []
        for part in parts:
            if isinstance(part, str) and joined and isinstance(joined[-1], str):
                joined[-1] += part
            elif part:
                joined.append(part)
        return cls("".join(map(_written, joined)), tuple(joined))

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Names of the holes in their order: one identifier each is needed to make a key."""
        return tuple(part.name for part in self.parts if isinstance(part, Hole))

    @property
    def first_segment(self) -> str | None:
        """The text before the first `:`, or None where a hole is part of it."""
        head = self.parts[0]
        if not isinstance(head, str) or (":" not in head and len(self.parts) > 1):
            return None
        return head.partition(":")[0]

    def fill(self, **literals: str) -> Self:
        """The template with the named holes replaced by literal text."""
        return self.of(
            literals.get(part.name, part) if isinstance(part, Hole) else part for part in self.parts
        )

    def format(self, *identifiers: str) -> str:
        """The key of these identifiers, one for each hole, put in as they are.

        Raises `TemplateError` for a wrong number of them, an empty one, or a `:` in one that stands for a
        single segment: such a key would belong to another template.
        """
        names = self.placeholders
        if len(identifiers) != len(names):
            raise TemplateError(f"{self.text}: {len(names)} identifiers wanted, {len(identifiers)} given")
        values = iter(identifiers)
        return "".join(
            _checked(part, next(values)) if isinstance(part, Hole) else part for part in self.parts
        )

    def match(self, key: str) -> tuple[str, ...] | None:
        """The identifiers in `key`, or None when the template cannot produce it.

        Where several readings exist, each hole takes as little as it can, from left to right. Time is
        linear in the length of the key.
        """
        values: list[str] = []
        start, hole = 0, None
        for index, part in enumerate(self.parts):
            if isinstance(part, Hole):
                hole = part
                continue
            if hole is None:
                found = 0 if key.startswith(part) else -1
            elif index == len(self.parts) - 1:
                found = len(key) - len(part) if key.endswith(part) else -1
            else:
                found = key.find(part, start + 1)
            if hole is not None:
                if found <= start or not _fits(hole, key[start:found]):
                    return None
                values.append(key[start:found])
                hole = None
            elif found < 0:
                return None
            start = found + len(part)
        if hole is not None:
            values.append(key[start:])
            return tuple(values) if _fits(hole, key[start:]) else None
        return tuple(values) if start == len(key) else None


def _fits(hole: Hole, value: str) -> bool:
    return bool(value) and (hole.rest or ":" not in value)


def _checked(hole: Hole, value: str) -> str:
    if not value:
        raise TemplateError(f"the identifier for {{{hole.name}}} is empty")
    if not _fits(hole, value):
        raise TemplateError(
            f'the identifier for {{{hole.name}}} holds a ":", and {{{hole.name}}} is one segment'
        )
    return value


def _written(part: Part) -> str:
    if isinstance(part, Hole):
        return f"{{{part.name}*}}" if part.rest else f"{{{part.name}}}"
    return part.replace("{", "{{").replace("}", "}}")


def _parts(text: str) -> list[Part]:
    if not text:
        raise TemplateError("a key cannot be empty")
    if len(text) > LONGEST_TEMPLATE:
        raise TemplateError(f"a key template has at most {LONGEST_TEMPLATE} characters, not {len(text)}")
    parts: list[Part] = []
    literal, index = "", 0
    while index < len(text):
        character = text[index]
        if text[index : index + 2] in ("{{", "}}"):
            literal, index = literal + character, index + 2
        elif character == "{":
            end = text.find("}", index)
            if end < 0:
                raise TemplateError('"{" is not closed; write {{ for the brace itself')
            if literal:
                parts.append(literal)
            parts.append(_hole(text[index + 1 : end]))
            literal, index = "", end + 1
        elif character == "}":
            raise TemplateError('"}" closes nothing; write }} for the brace itself')
        elif not character.isprintable():
            raise TemplateError(f"unprintable character U+{ord(character):04X} in a key")
        else:
            literal, index = literal + character, index + 1
    if literal:
        parts.append(literal)
    return parts


def _hole(inside: str) -> Hole:
    name = inside.removesuffix("*")
    if not (name.isascii() and name.isidentifier()):
        raise TemplateError(
            f'"{{{inside}}}" is not a placeholder such as {{id}} or {{rest*}}; write {{{{ for a brace'
        )
    return Hole(name, rest=inside.endswith("*"))


def _refuse_ambiguous(parts: tuple[Part, ...]) -> None:
    seen: set[str] = set()
    before: Part | None = None
    for part in parts:
        if isinstance(before, Hole) and before.rest:
            raise TemplateError(f"{{{before.name}*}} takes the rest of the key, so nothing can follow it")
        if isinstance(part, Hole):
            if isinstance(before, Hole):
                raise TemplateError(f"nothing separates {{{before.name}}} from {{{part.name}}}")
            if part.name in seen:
                raise TemplateError(f"{{{part.name}}} is there twice; give each placeholder its own name")
            seen.add(part.name)
        before = part
