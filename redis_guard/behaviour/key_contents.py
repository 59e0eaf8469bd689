"""What the variables of a key bring along: text that says who somebody is, or text that people type.

Law of this file: by the names of the variables alone; what is hashed on the way is neither, and an account's name or
an IP address is what limits and sessions are kept by.
"""

import re

from redis_guard.behaviour.key_design import variables
from redis_guard.project.keys import Key
from redis_guard.project.model import Call

_PERSONAL = re.compile(
    r"(?:.*_)?(?:e_?mail|(?:e_?mail|postal|street|home)_address|(?:mobile|tele)?_?phone(?:_?(?:number|no))?|mobile(?:_number)?"
    r"|msisdn|ssn|passport(?:_number)?|iban|(?:first|last|full|family|given|real)_?name|surname|birth_?day|dob"
    r"|(?:birth_date|date_of_birth))"
)
_FREE_TEXT = re.compile(
    r"message|q|search|(?:search|query)_(?:term|string)|user_input"
    r"|(?:.*_)?(?:query|text|prompt|comment|sentence|question|keywords?)"
)
_NOT_ITSELF = frozenset(
    "is has hash hashed digest hmac masked encrypted encoded fingerprint md5 sha sha1 sha256".split()
)
_HASHES = re.compile(
    r"^(?:hashlib|hmac|zlib|xxhash|mmh3|binascii)\.|(?:^|[._])(?:uuid[35]|hash|digest|md5|sha\d+)$"
)


def personal_data(call: Call, key: Key) -> str | None:
    """The variable that says who somebody is."""
    return _first(_PERSONAL, call, key)


def free_text(call: Call, key: Key) -> str | None:
    """The variable that holds what somebody typed."""
    return _first(_FREE_TEXT, call, key)


def _first(pattern: re.Pattern[str], call: Call, key: Key) -> str | None:
    found = next(
        (
            name
            for name in variables(key)
            if pattern.fullmatch(name) and _NOT_ITSELF.isdisjoint(name.split("_"))
        ),
        None,
    )
    return None if found is not None and _is_hashed(call, key) else found


def _is_hashed(call: Call, key: Key) -> bool:
    return any(
        _HASHES.search(name) for _, given in call.arguments if given.key == key for name in given.calls
    )
