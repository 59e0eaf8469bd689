"""A key is named against the conventions that let others find it.

What: several delimiters in one key, spaces, capital letters, two variables with nothing between them, text that people
type or that says who they are (e-mail, phone, their real names; not an account's name or an IP address), a word that
the registry's vocabulary replaces by another, or a prefix that the registry gives to another class of keys. How a
registered key is divided and spelt was decided where it is registered, and is not said again.
Why it hurts: nobody can list, count or delete what belongs together. Free text brings spaces, line breaks and endless
length, an e-mail address brings the duty to erase it from every dump and every slow log.
Instead: lower-case words with `:` between them, ids (or a hash of the text) for the rest: `search:{user_id}:{digest}`.
Fix: none; a key that is renamed leaves the old one behind.
"""

from collections.abc import Iterator

from redis_guard.behaviour.key_contents import free_text, personal_data
from redis_guard.behaviour.key_design import designed, segments
from redis_guard.behaviour.key_style import style_fault
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Keyspace, Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call, key in designed(module):
        if fault := _fault(call, key, registry):
            yield at(call, f"{key.template} {fault}")


def _fault(call: Call, key: Key, registry: Registry) -> str | None:
    if personal := personal_data(call, key):
        return f"holds personal data ({personal}), which then stands in dumps and slow logs; use an id or a keyed hash"
    if text := free_text(call, key):
        return f"holds free text ({text}), of any length and with any character; use a hash of it"
    # How a registered key is written was decided where it is registered.
    declared = registry.entry_for_key(key.template) is not None
    return (None if declared else style_fault(key)) or _vocabulary(key, registry) or _prefix(key, registry)


def _vocabulary(key: Key, registry: Registry) -> str | None:
    for word in segments(key):
        for meant, synonyms in registry.vocabulary.items():
            if word.lower() in synonyms:
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
