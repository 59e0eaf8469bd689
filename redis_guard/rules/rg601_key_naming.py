"""A key is named against the conventions that let others find it.

What: several delimiters in one key, spaces, capital letters, two variables with nothing between them, text that people
type or that says who they are, a word that the registry's vocabulary replaces by another, or a prefix that the registry
gives to another class of keys.
Why it hurts: nobody can list, count or delete what belongs together. Free text brings spaces, line breaks and endless
length, an e-mail address brings the duty to erase it from every dump and every slow log.
Instead: lower-case words with `:` between them, ids (or a hash of the text) for the rest: `search:{user_id}:{digest}`.
Fix: none; a key that is renamed leaves the old one behind.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.key_design import designed, segments, variables
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Keyspace, Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_DELIMITERS = re.compile(r"[:/|.]")
_PERSONAL = frozenset(
    ("email", "e_mail", "mail", "phone", "mobile", "ssn", "passport", "email_address", "phone_number")
)
_FREE_TEXT = frozenset(
    ("query", "text", "search", "message", "prompt", "comment", "sentence", "question", "q")
)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call, key in designed(module):
        if fault := _fault(key, registry):
            yield at(call, f"{key.template} {fault}")


def _fault(key: Key, registry: Registry) -> str | None:
    names = variables(key)
    if personal := next((name for name in names if name in _PERSONAL), None):
        return f"holds personal data ({personal}), which then stands in dumps and slow logs; use an id or a keyed hash"
    if text := next((name for name in names if name in _FREE_TEXT), None):
        return f"holds free text ({text}), of any length and with any character; use a hash of it"
    return _style(key) or _vocabulary(key, registry) or _prefix(key, registry)


def _style(key: Key) -> str | None:
    literal = key.literal
    if any(character.isspace() for character in literal):
        return "has a space in it; put `:` between words"
    found = sorted(set(_DELIMITERS.findall(literal)))
    if len(found) > 1:
        return f"is divided by {' and '.join(f'`{one}`' for one in found)}; one delimiter, `:`, lets others list it"
    if literal != literal.lower():
        return "has capital letters; keys are case-sensitive, and in lower case nobody has to guess"
    pairs = zip(key.pieces, key.pieces[1:], strict=False)
    if any(isinstance(one, Hole) and isinstance(other, Hole) for one, other in pairs):
        return (
            "has two variables with nothing between them, so that two pairs may give one key; put `:` there"
        )
    return None


def _vocabulary(key: Key, registry: Registry) -> str | None:
    for word in segments(key):
        for meant, synonyms in registry.vocabulary.items():
            if word in synonyms:
                return f'says "{word}", for which the registry\'s word is "{meant}"'
    return None


def _prefix(key: Key, registry: Registry) -> str | None:
    entry = registry.entry_for_key(key.template)
    own = entry.key_class if isinstance(entry, Keyspace) else None
    for key_class, prefix in registry.prefixes.items():
        begins = key.template.startswith(prefix)
        if own == key_class and not begins:
            return f"is {own}, and keys of that class begin with {prefix}"
        if own is not None and own != key_class and begins:
            return f"is {own}, and begins with {prefix}, which the registry gives to {key_class} keys"
    return None


RULE = Rule(
    code="RG601",
    name="key-naming",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='def remember(email):\n    r.set(f"search:{email}", "1", ex=600)',
            good='def remember(user_id):\n    r.set(f"search:{user_id}", "1", ex=600)',
        ),
    ),
)
