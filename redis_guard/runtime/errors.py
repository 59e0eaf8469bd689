"""What a caller of the runtime may catch.

Law of this file: every error says which use case it is about and what to do; none carries a key or an identifier,
so that a log line or a label made of it stays bounded.
"""


class CoordinationError(Exception):
    """Root of all errors of the runtime, but for `RegistryError`, which belongs to the registry."""


class CoordinationUnavailable(CoordinationError):
    """Redis did not do its part in time and the use case says `failure: closed`.

    `error_class` is one of `redis_guard.runtime.faults.ERROR_CLASSES`.
    """

    def __init__(self, use_case: str, error_class: str, detail: str = "") -> None:
        said = f" ({detail})" if detail else ""
        super().__init__(f'use case "{use_case}": coordination is unavailable: {error_class}{said}')
        self.use_case = use_case
        self.error_class = error_class


class CoordinationMistake(CoordinationError):
    """The server refused for a reason that no policy may hide: credentials, permissions, a key of another type.

    `error_class` is one of `redis_guard.runtime.faults.MISTAKES`.
    """

    def __init__(self, use_case: str, error_class: str, detail: str = "") -> None:
        said = f": {detail}" if detail else ""
        super().__init__(f'use case "{use_case}": a mistake, not an outage: {error_class}{said}')
        self.use_case = use_case
        self.error_class = error_class


class UnregisteredUseCase(CoordinationError, LookupError):
    """No use case of that name is in the registry."""

    def __init__(self, name: str, nearest: tuple[str, ...]) -> None:
        hint = f"; did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__(f'"{name}" is not a use case of the registry{hint}')
        self.name = name
        self.nearest = nearest


class WrongPrimitive(CoordinationError, TypeError):
    """The use case is registered as another primitive."""

    def __init__(self, name: str, asked: str, registered: str) -> None:
        super().__init__(
            f'use case "{name}" is registered as a {registered}, not as a {asked}; call .{registered}("{name}", ...)'
        )
        self.name = name


class WrongInstance(CoordinationError):
    """The use case lives in another Redis than the one this object talks to."""

    def __init__(self, name: str, registered: str, here: str) -> None:
        super().__init__(
            f'use case "{name}" lives in the Redis instance "{registered}", and this Coordination talks to "{here}"; '
            f'make one with instance="{registered}"'
        )
        self.name = name


class LockNotAcquired(CoordinationError):
    """Somebody else held the lock for as long as the caller was willing to wait."""

    def __init__(self, use_case: str, waited: float) -> None:
        super().__init__(f'use case "{use_case}": the lock is held by somebody else (waited {waited:.3g} s)')
        self.use_case = use_case
        self.waited = waited
        """Seconds."""


class LockStuck(CoordinationError):
    """The lock's key has no lifetime, so that waiting for it has no end; older code has left it."""

    def __init__(self, use_case: str) -> None:
        super().__init__(
            f'use case "{use_case}": the lock\'s key has no lifetime: code outside the runtime has left it, and it '
            "stays locked until somebody deletes it"
        )
        self.use_case = use_case


class LockLost(CoordinationError):
    """The lease is no longer, or no longer provably, its holder's."""

    def __init__(self, use_case: str, reason: str) -> None:
        super().__init__(
            f'use case "{use_case}": the lock was lost: {reason}; undo or abandon the protected work'
        )
        self.use_case = use_case
        self.reason = reason


class AlreadyHeld(CoordinationError):
    """The same thread or task holds this lock already; waiting for itself would never end."""

    def __init__(self, use_case: str, reason: str) -> None:
        super().__init__(f'use case "{use_case}": {reason}')
        self.use_case = use_case


class ForeignProcess(CoordinationError):
    """A lease was used in a process that did not take it, after a fork."""

    def __init__(self, use_case: str) -> None:
        super().__init__(
            f'use case "{use_case}": this lease belongs to another process; after a fork, take a lease of your own or '
            "adopt an exported one"
        )
        self.use_case = use_case
