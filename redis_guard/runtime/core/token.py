"""Who holds a lock or a claim, as its key says it.

Law of this file: no two acquisitions share a token, whatever process or thread makes them.
"""

import os
import socket


def new_token(signature: str) -> str:
    """16 random bytes in hexadecimal, then the `signature` of this process."""
    return f"{os.urandom(16).hex()}@{signature}"


def signature() -> str:
    """Host and process, for the operator who looks at a key; the same until the process forks."""
    return f"{socket.gethostname()}:{os.getpid()}"


def claimant(by: object) -> str:
    """The token of a claimant who names himself: the same each time he comes back."""
    return f"by:{by}"


def holder(token: bytes) -> str:
    """A token as a caller may read it."""
    return token.decode("utf-8", "backslashreplace").removeprefix("by:")
