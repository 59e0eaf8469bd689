"""The names that calls of the runtime are given, one by one.

Law of this file: a name counts once where it is said, however many calls a helper hands it to.
"""

from collections.abc import Iterator

from redis_guard.project.model import ProjectUses, RuntimeCall, SaidName


def each_name(project: ProjectUses) -> Iterator[tuple[RuntimeCall, SaidName]]:
    """Every name that a call may be given; for calls of one primitive once a place."""
    told: set[tuple[object, ...]] = set()
    for module in project.modules:
        for call in module.runtime_calls:
            for said in call.names:
                key = (call.primitive, said.text, said.path, said.span)
                if key not in told:
                    told.add(key)
                    yield call, said
