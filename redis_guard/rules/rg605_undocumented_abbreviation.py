"""A key has an abbreviation that the registry does not explain.

What: a word of one or two letters, or of three without a vowel, that is not among the registry's `abbreviations`.
Why it hurts: `u:p:7` was clear to whoever wrote it. In an incident somebody else has to know whether it may be deleted.
Instead: write the word, or put the abbreviation into the registry: `abbreviations: {u: user}`.
Fix: none; what it means is known to people only.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.key_design import designed, segments
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfProject, Report, Rule, at

_SHORT = re.compile(r"[a-z]{1,2}|[b-df-hj-np-tv-xz]{3}", re.IGNORECASE)
_KNOWN = frozenset(
    "id ip db ui ai tz os io up on in to by of at no ok is as us eu uk de fr en my s ttl http url sql xml html css rss "
    "jwt tls ssl tcp sms mfa otp cpu gpu vm pk".split()
)


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    told = set(registry.abbreviations)
    for call, key in (found for module in project.modules for found in designed(module)):
        short = [word for word in segments(key) if _SHORT.fullmatch(word) and word.lower() not in _KNOWN]
        # Each is told where it comes first: a prefix of all keys is one question, not a hundred.
        unknown = [word for word in dict.fromkeys(short) if word not in told]
        told.update(unknown)
        if unknown:
            words = " and ".join(f'"{word}"' for word in unknown)
            yield at(
                call,
                f"{key.template}: nobody can look up {words}; write the word, or explain it in the registry",
            )


RULE = Rule(
    code="RG605",
    name="undocumented-abbreviation",
    since="0.1.0",
    severity=NOTE,
    scope=OfProject(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='r.get("u:prefs:7")',
            good='r.get("user:prefs:7")',
        ),
    ),
)
