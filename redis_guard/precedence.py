"""One site, several rules: which of them speaks.

Law of this file: the only place that knows two rules at once. A finding gives way to another one that says
more of the same place; "place" is the first location of the one and any location of the other.
"""

from collections import defaultdict
from collections.abc import Iterable

from redis_guard.finding import Finding

GIVES_WAY: dict[str, tuple[str, ...]] = {
    # the most specific race wins
    "RG201": ("RG203", "RG205"),
    "RG202": ("RG205",),
    "RG203": ("RG205",),
    "RG204": ("RG205",),
    # what is changed on the way back was also looked at; to look who holds a lock, and delete it, is a release
    "RG209": ("RG208", "RG303"),
    "RG210": ("RG303",),
    # who does not look whether the lock was got has the greater trouble
    "RG306": ("RG305",),
    # a write that is half of a reported pair is not also without a lifetime
    "RG401": ("RG201", "RG202", "RG203", "RG204", "RG205", "RG402", "RG403", "RG404", "RG405", "RG406"),
    "RG404": ("RG406",),
    "RG405": ("RG406",),
    "RG803": (
        "RG201",
        "RG202",
        "RG203",
        "RG204",
        "RG205",
        "RG206",
        "RG207",
        "RG208",
        "RG209",
        "RG210",
        "RG305",
        "RG801",
    ),
    # what is never sent has no result to look at
    "RG305": ("RG801",),
    "RG207": ("RG205",),
}
"""rule -> rules that silence it at one place."""


ONLY_WHERE_ALLOWED = {"RG506": "RG101"}
"""rule -> rule: the one speaks only where an allow silences the other at the same place."""


def resolve(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without those that give way to another."""
    found = list(findings)
    at: dict[tuple[str, int, int], set[str]] = defaultdict(set)
    for finding in found:
        at[finding.path, finding.span.line, finding.span.column].add(finding.code)
        for related in finding.related:
            if finding.code != "RG206":  # its second place is a write that stays without a lifetime
                at[related.path, related.span.line, related.span.column].add(finding.code)
    return tuple(
        finding
        for finding in found
        if not at[finding.path, finding.span.line, finding.span.column] & set(GIVES_WAY.get(finding.code, ()))
    )
