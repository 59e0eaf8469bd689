"""Which entry do the keys of a piece of code belong to?

Law of this file: a match is never a guess. All literal text of the entry stands literally in the code;
a hole of the code may fill placeholders, several of them and the `:` between them too, and nothing else.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from redis_guard.registry.intersection import Step, common_text, steps_of
from redis_guard.registry.templates import Hole, KeyTemplate, Part


class Keyed(Protocol):
    """Whatever has a key template."""

    @property
    def key(self) -> KeyTemplate: ...


KeyedT = TypeVar("KeyedT", bound=Keyed)


def best_match(template: str, entries: Iterable[KeyedT]) -> KeyedT | None:
    """The entry whose key the code's `template` can equal, or None.

    An entry is preferred whose separators all stand in the code; then one without `{rest*}`, with fewer
    placeholders, with more literal text; then the first.
    """
    parts = code_parts(template)
    if not any(isinstance(part, str) for part in parts):
        return None
    literal = parts[0] if isinstance(parts[0], str) else ""
    code = steps_of(parts)
    candidates = [entry for entry in entries if _begins(literal, entry.key)]
    for separators_too in (True, False):
        found = [
            entry
            for entry in candidates
            if common_text(code, entry_steps(entry.key, separators_too)) is not None
        ]
        if found:
            return min(found, key=lambda entry: _rank(entry.key))
    return None


def code_parts(template: str) -> tuple[Part, ...]:
    """Literal text and holes of a key as code writes it; a brace that closes nothing is literal."""
    parts: list[Part] = []
    index, literal = 0, ""
    while index < len(template):
        character = template[index]
        end = template.find("}", index)
        if template[index : index + 2] in ("{{", "}}"):
            literal, index = literal + character, index + 2
        elif character == "{" and end > 0:
            if literal:
                parts.append(literal)
            # Two holes side by side are one: either may be anything.
            if not (parts and isinstance(parts[-1], Hole)):
                parts.append(Hole(template[index + 1 : end], rest=True))
            literal, index = "", end + 1
        else:
            literal, index = literal + character, index + 1
    if literal:
        parts.append(literal)
    return tuple(parts)


def entry_steps(key: KeyTemplate, separators_too: bool) -> tuple[Step, ...]:
    """Steps in which literals are solid; the `:` between two placeholders only if `separators_too`."""
    steps: list[Step] = []
    for index, part in enumerate(key.parts):
        if isinstance(part, Hole):
            steps += steps_of([part])
        else:
            loose = part == ":" and 0 < index < len(key.parts) - 1 and not separators_too
            steps.extend(Step(character, solid=not loose) for character in part)
    return tuple(steps)


def _begins(literal: str, key: KeyTemplate) -> bool:
    """The cheap test that spares most entries the search."""
    head = key.parts[0]
    return isinstance(head, Hole) or literal.startswith(head)


def _rank(key: KeyTemplate) -> tuple[bool, int, int]:
    holes = [part for part in key.parts if isinstance(part, Hole)]
    literal = sum(len(part) for part in key.parts if isinstance(part, str))
    return (any(hole.rest for hole in holes), len(holes), -literal)
