"""A key is longer than the registry allows.

What: the text of a key, without its variables, has more bytes than `limits: key_bytes` of the registry
(100 without one).
Why it hurts: every key is kept in full, sent in full with every command, and compared in full; a million of them cost
what a short name would not.
Instead: shorten the words, document the abbreviations in the registry, hash what is long by nature.
Fix: none; a key that is renamed leaves the old one behind.
"""

from collections.abc import Iterator

from redis_guard.behaviour.key_design import designed
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    limit = registry.limits.key_bytes
    for call, key in designed(module):
        length = len(key.literal.encode("utf-8", "surrogatepass"))
        if length > limit:
            yield at(
                call,
                f"{key.template} has {length} bytes of text, more than the limit of {limit} (limits: key_bytes)",
            )


RULE = Rule(
    code="RG603",
    name="key-too-long",
    since="0.1.0",
    severity=NOTE,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad=f'r.get("{"application-wide-customer-preferences:" * 3}7")',
            good='r.get("prefs:7")',
        ),
    ),
)
