"""A key has an abbreviation that the registry does not explain.

What: a word of one or two letters, or of three without a vowel, that is not among the registry's `abbreviations`. The
names of the project's own packages and modules, and what every programmer knows (`jwt`, `ip`), need no entry.
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
_WORDS = re.compile(r"[A-Za-z]+")
_KNOWN = frozenset(
    "a an as at be by do go he if in is it me my no of ok on or to up us we vs am pm s "
    "id ip db ui ai tz os io js py md ml pr ci cd qa hr tv pc kb mb gb ws pk fk mq "
    "eu uk de fr en es pt ru zh ja ko "
    "ttl http url sql xml html css rss csv pdf png jpg svg jwt tls ssl ssh tcp udp dns vpn cdn gps sms mfa otp cpu gpu "
    "vm rpc llm gpt lru".split()
)


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    told = {word.lower() for word in registry.abbreviations}
    for module in project.modules:
        own = {word.lower() for word in _WORDS.findall(module.path)}
        for call, key in designed(module):
            short = (word.lower() for word in segments(key) if _SHORT.fullmatch(word))
            # Each is told where it comes first: a prefix of all keys is one question, not a hundred.
            unknown = [word for word in dict.fromkeys(short) if word not in told | own | _KNOWN]
            if unknown and registry.entry_for_key(key.template) is None:
                told.update(unknown)
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
