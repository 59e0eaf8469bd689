"""The inventory as a first registry: what the code does today, each guess marked for review.

Law of this file: it loads. Whatever is not a plain word is quoted, so that YAML reads nothing into it.
"""

import json
import re
from collections.abc import Iterator
from typing import TextIO

from redis_guard.behaviour.proposals import Proposal
from redis_guard.report.inventory_model import Inventory
from redis_guard.report.printable import write

MARK = "  # review"
_PLAIN = re.compile(r"[a-z][a-z0-9_-]*|[1-9][0-9]*(?:ms|s|m|h|d)(?:\.\.[1-9][0-9]*(?:ms|s|m|h|d))?")
_WORDS_OF_YAML = frozenset("y n yes no on off true false null".split())
_UNSEEN = re.compile(
    "[\x7f-\xa0\xad\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)

_HEAD = """\
# What the code does with Redis today, as a first registry. "# review" marks what is a guess:
# decide it, then remove the mark. `redis-guard registry check` holds the file to its format.
version: 1
"""
_EMPTY = """\
# Who owns which key of Redis. There was no call to draft an entry from; these are examples.
# `redis-guard registry check` holds the file to its format.
version: 1

# owners:
#   billing: {contact: "#billing-oncall", description: Invoices and exports}
#
# use_cases:                       # coordination: locks, claims, counters, signals
#   invoice_export_claim:
#     primitive: claim
#     owner: billing
#     ttl: 15m
#     failure: closed
#     description: Each invoice is exported once
#
# keyspaces:                       # everything else that lives in this Redis
#   "session:{id}":
#     class: cache
#     owner: billing
#     ttl: required
#     description: Sessions of the web pages
"""


def render(inventory: Inventory, out: TextIO) -> None:
    """Write a registry file."""
    write(out, to_yaml(inventory))


def to_yaml(inventory: Inventory) -> str:
    """The text that is written."""
    proposals = [group.proposal for group in inventory.groups if group.proposal is not None]
    if not proposals:
        return _EMPTY
    return _HEAD + "".join(f"{line}\n" for line in _lines(proposals))


def _lines(proposals: list[Proposal]) -> Iterator[str]:
    contacts = {dict(proposal.fields)["owner"]: proposal.contact for proposal in proposals}
    yield from ("", "owners:")
    for owner, contact in sorted(contacts.items()):
        yield f"  {scalar(owner)}:"
        yield f"    contact: {scalar(contact or 'nobody yet')}{MARK}"
    for section in ("use_cases", "keyspaces"):
        entries = [proposal for proposal in proposals if proposal.section == section]
        if entries:
            yield from ("", f"{section}:")
        for proposal in entries:
            yield f"  {scalar(proposal.name)}:"
            for name, value in proposal.fields:
                yield f"    {name}: {scalar(value)}{MARK if name in proposal.review else ''}"


def scalar(text: str) -> str:
    """The text as YAML of any version reads it back."""
    if _PLAIN.fullmatch(text) and text not in _WORDS_OF_YAML:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
