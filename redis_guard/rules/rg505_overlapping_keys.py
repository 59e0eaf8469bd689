"""Two entries of the registry can produce one key.

What: the key templates (of signals the channels) of two use cases or keyspaces on one Redis can be the same text.
Why it hurts: two owners write one key with two meanings; a lock of the one is the counter of the other, and either
may end the other's lifetime. The runtime refuses such a registry when it starts.
Instead: give one of the two a first segment of its own, or another separator where they differ.
Fix: none; keys that are in use have to be moved with care.
"""

from collections.abc import Iterator

from redis_guard.behaviour.registered import place_span
from redis_guard.finding import Related
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfRegistry, Report, Rule


def check(registry: Registry) -> Iterator[Report]:
    for problem in registry.problems:
        if problem.kind == "overlapping-keys":
            other = problem.other
            related = (
                ()
                if other is None
                else (Related(other.path, place_span(other, registry), "the other entry"),)
            )
            yield Report(problem.path, place_span(problem.place, registry), problem.message, related=related)


_HEAD = 'version: 1\nowners: {web: {contact: "#web"}}\nkeyspaces:\n'

RULE = Rule(
    code="RG505",
    name="overlapping-keys",
    since="0.1.0",
    severity=ERROR,
    scope=OfRegistry(check),
    doc=__doc__,
    examples=(
        Example(
            bad='  "session:{id}": {class: cache, owner: web, ttl: required, description: Sessions}\n'
            '  "{kind}:draft": {class: cache, owner: web, ttl: 1d, description: Drafts}',
            good='  "session:{id}": {class: cache, owner: web, ttl: required, description: Sessions}\n'
            '  "draft:{kind}": {class: cache, owner: web, ttl: 1d, description: Drafts}',
            setup=_HEAD,
            language="yaml",
        ),
    ),
)
