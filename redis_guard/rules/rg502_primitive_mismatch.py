"""A use case is called as another primitive than it is registered as.

What: `claim()` on a use case that is registered as a lock, `counter()` on a claim, and so on.
Why it hurts: the runtime raises WrongPrimitive when the line runs, and whoever reads the registry expects another
promise than the code makes: a claim is never given back, a lock is.
Instead: call the primitive that is registered, or register a use case of its own for what the code does.
Fix: none; which of the two is right is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.named_uses import each_name
from redis_guard.behaviour.registered import related_entry
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at_name


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    for call, said in each_name(project):
        case = registry.use_case(said.text)
        if case is not None and call.primitive not in (None, case.primitive):
            message = (
                f'"{case.name}" is registered as a {case.primitive} at {case.place}, so {call.primitive}() raises '
                f"WrongPrimitive; call {case.primitive}(), or register a {call.primitive} under a name of its own"
            )
            yield at_name(call, said, message, related_entry(case))


RULE = Rule(
    code="RG502",
    name="primitive-mismatch",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='if coordination.claim("order_settlement", order_id):\n    settle(order_id)',
            good='with coordination.lock("order_settlement", order_id):\n    settle(order_id)',
            setup="from redis_guard.runtime import Coordination\n\n"
            'coordination = Coordination.from_file("redis_guard.yaml")\n',
        ),
    ),
)
