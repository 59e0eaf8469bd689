"""A use case's identifiers -> the bytes of its key. On the hot path of the runtime: all that can be is prepared.

Law of this file: with `percent`, another identifier makes another key, and none adds a segment or a hash tag;
with `raw`, the key is byte for byte what an f-string of the template writes.
"""

import re
from typing import NoReturn, TypeVar
from uuid import UUID

from redis_guard.registry.durations import shortened
from redis_guard.registry.helper_keys import HelperKeyError, HelperSuffix, helper_key, plain_key
from redis_guard.registry.model import UseCase
from redis_guard.registry.templates import Hole

__all__ = [
    "LONGEST_KEY",
    "HelperKeyError",
    "HelperSuffix",
    "Identifier",
    "IdentifierError",
    "KeyMaker",
    "helper_key",
    "plain_key",
]

Identifier = str | int | UUID | bytes

TextT = TypeVar("TextT", str, bytes)

LONGEST_KEY = 1024
"""In bytes. Redis takes 512 MB; whoever comes near this has passed a document for an identifier."""

# A str's \s is all white space of Unicode; the ranges are the control characters (category Cc).
_ENCODED = re.compile(r"[%:{}\s\x00-\x1f\x7f-\x9f]")

_SURROGATE = "holds a lone surrogate, which no encoding can write; pass the bytes it was read from"


class IdentifierError(ValueError):
    """These identifiers make no key; the message names the use case, the placeholder and what to do."""


class _Unfit(Exception):
    """What is wrong with one identifier."""


class KeyMaker:
    """Makes the keys (of a signal, the channel) of one use case; built once, safe to share between threads."""

    __slots__ = ("_after", "_first", "_name", "_written", "placeholders")

    def __init__(self, case: UseCase) -> None:
        self.placeholders: tuple[str, ...] = case.key.placeholders
        self._name = case.name
        self._written = _percent if case.encoding == "percent" else _raw
        literals = [b""]
        for part in case.key.parts:
            if isinstance(part, Hole):
                literals.append(b"")
            else:
                literals[-1] += part.encode()
        self._first, *after = literals
        self._after = tuple(after)

    def key(self, *ids: Identifier) -> bytes:
        """The key of these identifiers, one for each placeholder in their order.

        Raises `IdentifierError` for a wrong number of them, one that is empty or of another type (a bool, None, a
        float), and a key of more than `LONGEST_KEY` bytes. A str is encoded as UTF-8; bytes are taken
        as they are (an f-string would write their `b''` too).
        """
        if len(ids) != len(self._after):
            self._refuse_count(len(ids))
        key = self._first
        for name, identifier, literal in zip(self.placeholders, ids, self._after, strict=True):
            try:
                key += self._written(identifier) + literal
            except _Unfit as unfit:
                message = f'use case "{self._name}": the identifier for {{{name}}} {unfit}'
                raise IdentifierError(message) from None
        if len(key) > LONGEST_KEY:
            raise IdentifierError(
                f'use case "{self._name}": the key would have {len(key):,} bytes, and {LONGEST_KEY:,} are allowed;'
                " pass a hash of what is long"
            )
        return key

    def _refuse_count(self, given: int) -> NoReturn:
        wanted = len(self.placeholders)
        names = f" ({', '.join(self.placeholders)})" if wanted else ""
        noun = "identifier" if wanted == 1 else "identifiers"
        raise IdentifierError(
            f'use case "{self._name}" takes {wanted or "no"} {noun}{names}, and {given or "none"}'
            f" {'were' if given > 1 else 'was'} given"
        )


def _raw(identifier: Identifier) -> bytes:
    if isinstance(identifier, bytes):
        return _bounded(identifier)
    try:
        return _text(identifier).encode()
    except UnicodeEncodeError:
        raise _Unfit(_SURROGATE) from None


def _percent(identifier: Identifier) -> bytes:
    if isinstance(identifier, bytes):
        # bytes that are no UTF-8 pass through as they came
        text = _bounded(identifier).decode("utf-8", "surrogateescape")
        return _encoded(text).encode("utf-8", "surrogateescape")
    try:
        return _encoded(_text(identifier)).encode()
    except UnicodeEncodeError:
        raise _Unfit(_SURROGATE) from None


def _encoded(text: str) -> str:
    return _ENCODED.sub(_escape, text) if _ENCODED.search(text) else text


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode())


def _text(identifier: Identifier) -> str:
    """What an f-string writes."""
    if type(identifier) is str:  # the usual one first
        return _bounded(identifier)
    if isinstance(identifier, bool) or not isinstance(identifier, str | int | UUID):
        shown = "None" if identifier is None else f"a {type(identifier).__name__}"
        raise _Unfit(f"is {shown}; pass a str, an int, a UUID or bytes")
    try:
        return _bounded(f"{identifier}")
    except ValueError as error:
        raise _Unfit(f"cannot be written out: {shortened(str(error))}") from None


def _bounded(text: TextT) -> TextT:
    if not text:
        raise _Unfit("is empty; a key without it would be everybody's")
    if len(text) > LONGEST_KEY:
        raise _Unfit(f"is longer than a key may be ({LONGEST_KEY:,} bytes); pass a hash of it")
    return text
