"""One first segment of keys is used by several owners.

What: entries of different owners whose keys begin with the same text before the first `:`.
Why it hurts: the first segment is what people search by and what access rules name; where it is shared, neither tells
whose a key is.
Instead: let each owner's keys begin with a segment of its own.
Fix: none; keys that are in use have to be moved with care.
"""

from collections.abc import Iterator

from redis_guard.behaviour.registered import place_span
from redis_guard.finding import Related
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfRegistry, Report, Rule


def check(registry: Registry) -> Iterator[Report]:
    for problem in registry.problems:
        if problem.kind == "shared-prefix":
            other = problem.other
            related = (
                ()
                if other is None
                else (Related(other.path, place_span(other, registry), "the other owner's"),)
            )
            yield Report(problem.path, place_span(problem.place, registry), problem.message, related=related)


_HEAD = 'version: 1\nowners: {web: {contact: "#web"}, shop: {contact: "#shop"}}\nkeyspaces:\n'

RULE = Rule(
    code="RG507",
    name="shared-prefix",
    since="0.1.0",
    severity=NOTE,
    scope=OfRegistry(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='  "user:{id}:theme": {class: cache, owner: web, ttl: required, description: Themes}\n'
            '  "user:{id}:basket": {class: cache, owner: shop, ttl: 1d, description: Baskets}',
            good='  "theme:{id}": {class: cache, owner: web, ttl: required, description: Themes}\n'
            '  "basket:{id}": {class: cache, owner: shop, ttl: 1d, description: Baskets}',
            setup=_HEAD,
            language="yaml",
        ),
    ),
)
