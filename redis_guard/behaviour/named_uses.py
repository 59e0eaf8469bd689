"""Calls of the runtime as reports: one for each name, where that name is said.

Law of this file: a helper that hands a name on is reported where the name is written, with the call it ends in.
"""

from collections.abc import Iterator

from redis_guard.finding import Related
from redis_guard.project.model import ProjectUses, RuntimeCall, SaidName
from redis_guard.rule import Report


def each_name(project: ProjectUses) -> Iterator[tuple[RuntimeCall, SaidName]]:
    """Every name that a call may be given, once a place."""
    told: set[tuple[object, ...]] = set()
    for module in project.modules:
        for call in module.runtime_calls:
            for said in call.names:
                key = (call.primitive, said.text, said.path, said.span)
                if key not in told:
                    told.add(key)
                    yield call, said


def report(call: RuntimeCall, said: SaidName, message: str, *others: Related) -> Report:
    """A report where a name is said."""
    handed_on = (said.path, said.span) != (call.path, call.span)
    ends_in = (Related(call.path, call.span, f"the {call.primitive or 'call'} it is handed to"),)
    return Report(
        said.path,
        said.span,
        message,
        function=said.function,
        method=call.primitive,
        use_case=said.text,
        confidence=call.confidence,
        related=(*(ends_in if handed_on else ()), *others),
    )


def written(call: RuntimeCall, name: str = "…") -> str:
    """`coordination.lock("order_settlement")`."""
    quoted = name if name == "…" else f'"{name}"'
    receiver = call.receiver.removesuffix(f".{call.primitive}")
    return f"{receiver}.{call.primitive}({quoted})" if call.primitive else f"{call.receiver}({quoted})"
