"""What a process may open, and what it is told when it may not.

Law of this file: both worlds keep to the same limits and say so in the same words.
"""

from typing import Final

from redis_guard.runtime.faults import Fault

MOST_CONNECTIONS: Final = 64
"""To one server from one process; whoever comes later waits for one that is given back."""

MOST_REDIRECTS: Final = 3
"""From one node of a cluster to another, for one request."""


def all_in_use(limit: int) -> Fault:
    """Nobody has given a connection back in time."""
    return Fault("maxclients", f"all {limit} connections of this process are in use", opening=True)


CLOSED: Final = "this Coordination is closed"


def closed() -> RuntimeError:
    """Somebody begins anew after the end."""
    return RuntimeError(CLOSED)


def closing() -> Fault:
    """The end came while something was under way."""
    return Fault("connection", CLOSED, opening=True)
