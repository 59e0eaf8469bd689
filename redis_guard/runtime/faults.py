"""What can go wrong between the runtime and a server, as a bounded list.

Law of this file: an exception of redis-py, or a text that a server answers, becomes one of `ERROR_CLASSES`; nothing
is retried, hidden or counted before it was classified. Sources: redis-py 8.1's exceptions (AuthenticationError and
BusyLoadingError are ConnectionErrors there, RedisClusterException is no RedisError) and the error prefixes of Redis
7 and Valkey 9.
"""

import re
from typing import Final, Literal, get_args

import redis.exceptions as theirs

ErrorClass = Literal[
    "timeout",
    "connection",
    "loading",
    "readonly",
    "noreplicas",
    "oom",
    "busy",
    "misconf",
    "clusterdown",
    "maxclients",
    "moved",
    "ambiguous",
    "auth",
    "noperm",
    "crossslot",
    "wrongtype",
    "protocol",
    "other",
]

ERROR_CLASSES: Final[tuple[ErrorClass, ...]] = get_args(ErrorClass)

MISTAKES: Final[frozenset[ErrorClass]] = frozenset(
    ("auth", "noperm", "crossslot", "wrongtype", "protocol", "other")
)
"""What no failure policy may hide: it does not pass by itself."""


SPOILING: Final[frozenset[ErrorClass]] = frozenset(("timeout", "connection", "readonly", "loading", "auth"))
"""After which a connection is at another server than one thinks, or closed (redis-py does that itself for some)."""


class Fault(Exception):
    """One exchange with a server failed. Internal: callers see it only as the cause of a `CoordinationError`."""

    def __init__(
        self,
        error_class: ErrorClass,
        detail: str = "",
        *,
        opening: bool = False,
        sent_at: float | None = None,
        until: float = 0.0,
    ) -> None:
        super().__init__(error_class, detail)
        self.error_class: ErrorClass = error_class
        self.detail = detail
        self.opening = opening
        """There was no connection to send anything on."""
        self.sent_at = sent_at
        """When the request left, by the caller's clock, if the server may have done it or may do it yet."""
        self.until = until
        """From when on the server declines it, by the caller's clock; infinite where it would never."""

    @property
    def ambiguous(self) -> bool:
        """The server may have done what was asked."""
        return self.sent_at is not None

    @property
    def refused(self) -> bool:
        """Nobody listens at the address, or not any more; that is told at once."""
        return self.opening and self.error_class == "connection"

    @property
    def spoils(self) -> bool:
        """The connection it happened on must not be used again."""
        return self.ambiguous or self.error_class in SPOILING


class Unconfirmed(Exception):
    """It was done, and the answer to WAIT has not come. Internal, as `Fault` is."""


ANSWERS: Final = (theirs.ResponseError, theirs.BusyLoadingError, theirs.AuthenticationError)
"""What says that the server has refused, so that nothing was done; redis-py takes the last two for lost connections."""

BY_TYPE: Final[tuple[tuple[type[BaseException], ErrorClass], ...]] = (
    (Unconfirmed, "noreplicas"),
    (theirs.AuthenticationError, "auth"),
    (theirs.AuthorizationError, "auth"),
    (theirs.AuthenticationWrongNumberOfArgsError, "auth"),
    (theirs.NoPermissionError, "noperm"),
    (theirs.BusyLoadingError, "loading"),
    (theirs.MaxConnectionsError, "maxclients"),
    (theirs.ClusterCrossSlotError, "crossslot"),
    (theirs.ReadOnlyError, "readonly"),
    (theirs.OutOfMemoryError, "oom"),
    (theirs.MasterDownError, "clusterdown"),
    (theirs.ClusterDownError, "clusterdown"),
    (theirs.SlotNotCoveredError, "clusterdown"),
    (theirs.TryAgainError, "clusterdown"),
    (theirs.MovedError, "moved"),
    (theirs.AskError, "moved"),
    (theirs.InvalidResponse, "protocol"),
    (theirs.TimeoutError, "timeout"),
    (TimeoutError, "timeout"),
)

BY_TEXT: Final[tuple[tuple[str, ErrorClass], ...]] = (
    (r"\b(WRONGPASS|NOAUTH)\b|[Ii]nvalid (username-)?password|without any password configured", "auth"),
    (r"\bNOPERM\b|ACL failure|has no permissions|can't (run this command|access)", "noperm"),
    (r"max number of clients", "maxclients"),
    (r"\bLOADING\b", "loading"),
    (r"\bREADONLY\b|previous master is now a", "readonly"),
    (r"\bNOREPLICAS\b", "noreplicas"),
    (r"\bOOM\b", "oom"),
    (r"\b(BUSY|UNKILLABLE)\b", "busy"),
    (r"\bMISCONF\b", "misconf"),
    (r"\b(MASTERDOWN|CLUSTERDOWN|TRYAGAIN)\b", "clusterdown"),
    (r"\b(MOVED|ASK) \d", "moved"),
    (r"\bCROSSSLOT\b|non local key", "crossslot"),
    (r"\bWRONGTYPE\b|not an integer|would overflow", "wrongtype"),
)
"""What stands in a server's errors, the code first or, out of a script, in the middle; the first one wins."""


def classify(error: BaseException) -> ErrorClass:
    """The class of an exception that redis-py or the socket under it has raised."""
    for kind, error_class in BY_TYPE:
        if isinstance(error, kind):
            return error_class
    text = str(error)
    for pattern, error_class in BY_TEXT:
        if re.search(pattern, text):
            return error_class
    if isinstance(error, theirs.ConnectionError | OSError | EOFError):
        return "connection"
    # Raised by the cluster client when no node can be reached; it is no RedisError.
    if isinstance(error, theirs.RedisClusterException):
        return "clusterdown"
    return "other"


def told(error: BaseException) -> str:
    """The server's words, on one line."""
    return " ".join(str(error).split())[:200]
