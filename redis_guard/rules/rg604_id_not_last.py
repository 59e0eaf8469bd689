"""An id stands in the middle of a key.

What: a variable id is followed by text with which the key ends, as in `order:{id}:detail`. A key that ends with
another id lists what belongs to the first (`user:{id}:session:{session}`), and a version at the end is no kind.
Why it hurts: what is of one kind has no prefix in common, so that no prefix scan, no ACL pattern and no keyspace
notification can reach all details of orders, and no dashboard can count them.
Instead: the kind first, the id last: `order:detail:{id}`. Keys that share a hash tag on a cluster are not meant, nor is
a key that the registry declares as it is.
Fix: none; a key that is renamed leaves the old one behind.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.key_design import designed
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at

_ID = re.compile(r"(^|[_.])(id|uid|uuid|pk|guid|number|no)$", re.IGNORECASE)
_VERSION = re.compile(r"\W*(?:v|ver|version)?[_-]?\d*\W*", re.IGNORECASE)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call, key in designed(module):
        if (name := _inner_id(key)) is not None and registry.entry_for_key(key.template) is None:
            yield at(
                call,
                f"{key.template}: the text behind {{{name}}} can be reached by no prefix; put the id last",
            )


def _inner_id(key: Key) -> str | None:
    """The id before the text with which the key ends."""
    if key.slot is not None or len(key.pieces) < 3 or not isinstance(key.pieces[0], str):
        return None
    piece, after = key.pieces[-2:]
    if isinstance(piece, Hole) and _ID.search(piece.name) and isinstance(after, str) and _says_a_kind(after):
        return piece.name
    return None


def _says_a_kind(text: str) -> bool:
    return any(map(str.isalpha, text)) and not _VERSION.fullmatch(text)


RULE = Rule(
    code="RG604",
    name="id-not-last",
    since="0.1.0",
    severity=NOTE,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='def detail(order_id):\n    return r.get(f"order:{order_id}:detail")',
            good='def detail(order_id):\n    return r.get(f"order:detail:{order_id}")',
        ),
    ),
)
