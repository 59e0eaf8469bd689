"""Who holds a lock or a claim, as its key says it.

Law of this file: no two acquisitions share a token, whatever process or thread makes them.
"""

import os
import socket
from uuid import UUID

from redis_guard.registry.keys import Identifier

LONGEST_CLAIMANT = 256


def new_token(signature: str) -> str:
    """16 random bytes in hexadecimal, then the `signature` of this process."""
    return f"{os.urandom(16).hex()}@{signature}"


def signature() -> str:
    """Host and process, for the operator who looks at a key; the same until the process forks."""
    return f"{socket.gethostname()}:{os.getpid()}"


def claimant(by: Identifier) -> str:
    """The token of a claimant who names himself: the same each time he comes back. Raises `TypeError`, `ValueError`."""
    if isinstance(by, bool) or not isinstance(by, str | int | UUID | bytes):
        raise TypeError(f"by= is a str, an int, a UUID or bytes, not {type(by).__name__}")
    text = by.decode("utf-8", "backslashreplace") if isinstance(by, bytes) else str(by)
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(
            "by= holds a lone surrogate, which no encoding can write; pass the bytes it was read from"
        )
    if not 0 < len(text) <= LONGEST_CLAIMANT:
        raise ValueError(f"by= has from 1 to {LONGEST_CLAIMANT} characters, not {len(text)}")
    return f"by:{text}"


def holder(token: bytes) -> str:
    """A token as a caller may read it."""
    return token.decode("utf-8", "backslashreplace").removeprefix("by:")
