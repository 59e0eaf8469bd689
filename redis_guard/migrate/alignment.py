"""Two sights of one key brought together: the expressions of the text, and what the project knows of their values.

Law of this file: where there are two ways to read a key, there is none.
"""

from collections.abc import Iterator, Sequence

from redis_guard.migrate.atoms import Atom
from redis_guard.project.keys import Hole, Key
from redis_guard.registry import Hole as Placeholder
from redis_guard.registry import KeyTemplate

Token = str | Atom
"""One character, or an expression."""


def resolved(atoms: Sequence[Atom], key: Key) -> list[Atom] | None:
    """The key with expressions that are constants (of this file or another) replaced by their text."""
    known: list[str | Hole] = []
    for piece in key.pieces:
        known.extend(piece if isinstance(piece, str) else [piece])
    ways = _ways(_characters(atoms), tuple(known))
    first = next(ways, None)
    if first is None or next(ways, None) is not None:
        return None
    return joined(first)


def _ways(ours: tuple[Token, ...], known: tuple[str | Hole, ...]) -> Iterator[list[Token]]:
    if not ours or not known:
        if not known and all(_can_be_text(token) for token in ours):
            yield []
        return
    head, rest = ours[0], ours[1:]
    if isinstance(head, str):
        if head == known[0]:
            yield from ([head, *more] for more in _ways(rest, known[1:]))
        return
    if isinstance(known[0], Hole):
        yield from ([head, *more] for more in _ways(rest, known[1:]))
    if _can_be_text(head):
        length = 0
        while True:
            text = [each for each in known[:length] if isinstance(each, str)]
            yield from ([*text, *more] for more in _ways(rest, known[length:]))
            if length == len(known) or not isinstance(known[length], str):
                return
            length += 1


def _can_be_text(token: Token) -> bool:
    return not isinstance(token, str) and not token.local


def shares(template: KeyTemplate, atoms: Sequence[Atom]) -> list[list[Atom]] | None:
    """What fills each placeholder of the registry's template; None where the key is not split as it is."""
    return _shares(template.parts, _characters(atoms))


def _shares(parts: Sequence[str | Placeholder], tokens: tuple[Token, ...]) -> list[list[Atom]] | None:
    if not parts:
        return None if tokens else []
    part = parts[0]
    if isinstance(part, str):
        head = tokens[: len(part)]
        return _shares(parts[1:], tokens[len(part) :]) if list(head) == list(part) else None
    for length in range(1, len(tokens) + 1):
        if tokens[length - 1] == ":" and not part.rest:
            return None
        rest = _shares(parts[1:], tokens[length:])
        if rest is not None:
            return [joined(tokens[:length]), *rest]
    return None


def _characters(atoms: Sequence[Atom]) -> tuple[Token, ...]:
    found: list[Token] = []
    for atom in atoms:
        found.extend(atom if isinstance(atom, str) else [atom])
    return tuple(found)


def joined(tokens: Sequence[Token]) -> list[Atom]:
    """Characters side by side as one text."""
    found: list[Atom] = []
    for token in tokens:
        if isinstance(token, str) and found and isinstance(found[-1], str):
            found[-1] += token
        else:
            found.append(token)
    return found
