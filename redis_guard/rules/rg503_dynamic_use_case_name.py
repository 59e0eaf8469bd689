"""The name of a use case is decided while the program runs.

What: the name given to `lock`, `claim`, `counter` or `signal` is put together, looked up, read from settings, or a
parameter that is not seen to get literals only. Constants, enumerations, choices between literals and helpers whose
callers all write a literal are fine.
Why it hurts: nobody can tell which use cases the code has; a name that is not registered shows at run time, and
names that grow with data make metric labels without end.
Instead: one registered name a place, and what varies as an identifier: `claim("emails_digest", user)`.
Fix: none; which use cases there are is a decision.
"""

from collections.abc import Iterator

from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if not registry.entries:
        return
    for call in module.runtime_calls:
        if call.dynamic:
            message = (
                f"the use case of this {call.primitive or 'call'} is decided at run time ({call.dynamic}), so nobody "
                f"can check it; write one registered name, and pass what varies as an identifier"
            )
            yield Report(
                call.path,
                call.span,
                message,
                function=call.place.function.qualname,
                method=call.primitive,
                confidence=call.confidence,
            )


RULE = Rule(
    code="RG503",
    name="dynamic-use-case-name",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='def failed(kind, account):\n    coordination.counter(f"{kind}_attempts", account).increment()',
            good='def failed(account):\n    coordination.counter("login_attempts", account).increment()',
            setup="from redis_guard.runtime import Coordination\n\n"
            'coordination = Coordination.from_file("redis_guard.yaml")\n',
        ),
    ),
)
