"""A call of the runtime names a use case that the registry lacks.

What: the name given to `lock`, `claim`, `counter` or `signal` of a coordination object is registered nowhere,
whether it is written at the call, comes from a constant, or is handed through a helper.
Why it hurts: the runtime raises UnregisteredUseCase, on the day on which that line runs for the first time.
Instead: write the name as it is registered, or register the use case under the name that is meant.
Fix: the one registered name of the same primitive that resembles it (unsafe).
"""

from collections.abc import Iterator

from redis_guard.behaviour.named_uses import each_name
from redis_guard.behaviour.registered import related_entry, where_registered
from redis_guard.project.model import ProjectUses, RuntimeCall
from redis_guard.registry import Registry, UseCase
from redis_guard.repairs.registered_name import RegisteredName
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at_name


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    if not registry.entries:
        return
    for call, said in each_name(project):
        if registry.use_case(said.text) is None:
            close = _close(said.text, call, registry)
            others = [related_entry(case) for case in close[:1]]
            same = [case for case in close if case.primitive == call.primitive]
            repair = RegisteredName(said, same[0].name) if len(same) == 1 else None
            yield at_name(call, said, _message(said.text, call, close, registry), *others, repair=repair)


def _close(name: str, call: RuntimeCall, registry: Registry) -> list[UseCase]:
    """Registered names that resemble it, those of the primitive that is called first."""
    found = [registry.use_cases[close] for close in registry.close_names(name)]
    return sorted(found, key=lambda case: case.primitive != call.primitive)


def _message(name: str, call: RuntimeCall, close: list[UseCase], registry: Registry) -> str:
    wrong = f'"{name}" is no registered use case, so this call raises UnregisteredUseCase'
    where = f"register it in {where_registered(registry)}"
    if not close:
        return f"{wrong}; {where}"
    names = [
        f'"{case.name}"' if case.primitive == call.primitive else f'"{case.name}" (a {case.primitive})'
        for case in close
    ]
    return f"{wrong}; did you mean {' or '.join(names)}? Otherwise {where}"


RULE = Rule(
    code="RG501",
    name="unregistered-use-case",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='with coordination.lock("order_setlement", order_id):\n    settle(order_id)',
            good='with coordination.lock("order_settlement", order_id):\n    settle(order_id)',
            setup="from redis_guard.runtime import Coordination\n\n"
            'coordination = Coordination.from_file("redis_guard.yaml")\n',
        ),
    ),
)
