"""A use case is registered, and no code uses it.

What: no call of the runtime names the use case, and no direct call works on its key. Only a run over the whole
project tells; while some name is decided at run time, use cases of that primitive are not reported, and while some
key of a direct call is not seen, none that has a `key` of its own.
Why it hurts: an entry that nothing uses is read, paged for and kept in order for nothing; or the code that should use
it does without.
Instead: remove the entry, or use it. One that other programs use is allowed where it stands, in the registry.
Fix: none; whether anything else uses it is not to be seen here.
"""

from collections.abc import Iterator
from pathlib import PurePath

from redis_guard.behaviour.registered import entry_span
from redis_guard.behaviour.usage import usage
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfProject, Report, Rule


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    if not registry.use_cases or any(module.error is not None for module in project.modules):
        return
    seen = usage(project, registry)
    for case in registry.use_cases.values():
        # a file outside the project serves other projects too
        if not seen.may_use(case) and not PurePath(case.place.path).is_absolute():
            message = (
                f'no code uses the {case.primitive} "{case.name}" of {case.owner}; remove it, or allow it here if '
                "another program uses it"
            )
            yield Report(case.place.path, entry_span(case), message, use_case=case.name)


RULE = Rule(
    code="RG504",
    name="unused-use-case",
    since="0.1.0",
    severity=WARNING,
    scope=OfProject(check),
    doc=__doc__,
    whole=True,
    examples=(
        Example(
            bad="use_cases:\n"
            "  order_settlement: {primitive: lock, owner: checkout, ttl: 30s, failure: closed,\n"
            "    description: One worker settles an order}",
            good="use_cases: {}",
            setup='version: 1\nowners: {checkout: {contact: "#checkout"}}\n'
            'keyspaces: {"cart:{id}": {class: cache, owner: checkout, ttl: 7d, description: Carts}}\n',
            language="yaml",
        ),
    ),
)
