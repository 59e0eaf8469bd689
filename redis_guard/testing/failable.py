"""What both worlds' coordinations for tests have beyond the real ones.

Law of this file: a failure belongs to one coordination, and to nobody else on the same server.
"""

from redis_guard.registry.model import Primitive
from redis_guard.runtime.faults import ErrorClass
from redis_guard.testing.failures import Failure, Failures


class Failable:
    """Fails when a test says so."""

    _failures: Failures

    def fail(
        self,
        error_class: ErrorClass,
        *,
        times: int | None = None,
        primitive: Primitive | None = None,
        use_case: str | None = None,
    ) -> Failure:
        """From now on, requests fail with this error class, until `heal()`, or the end of `with coordination.fail(…)`.

        Only the next `times` requests; only those of a primitive, or of a use case. They are not carried out, but for
        `ambiguous`: the server does them and the reply is lost. Raises `ValueError`, `UnregisteredUseCase`.
        """
        return self._failures.fail(error_class, times, primitive, use_case)

    def heal(self) -> None:
        """End all failures that `fail` has begun."""
        self._failures.heal()
