"""Names that say whether a function changes what it is given.

Law of this file: data only; by last names, since what a name stands for is often out of sight.
"""

CONVERSIONS = frozenset(
    "int float str bytes bool Decimal UUID memoryview BytesIO Unpickler decode encode strip rstrip lstrip lower hex "
    "loads dumps load dump ensure_str force_str force_bytes to_text to_bytes fromisoformat fromtimestamp "
    "unpackb packb decompress compress b64decode b64encode unhexlify deserialize serialize "
    "model_validate_json parse_raw".split()
)
"""Functions and methods whose result says what went in, written otherwise."""

CARRIERS = frozenset(
    "list dict set tuple frozenset sorted reversed iter next enumerate zip items values keys get setdefault pop copy "
    "deepcopy cast wait_for shield gather".split()
)
"""Functions and methods that hand on what they are given, or items of it, untouched."""

LOOK_UPS = frozenset({"get", "setdefault", "pop"})
"""Of these, what they are asked for does not arrive, only what is found under it."""

MUTATORS = frozenset(
    "append extend insert remove pop popitem clear update setdefault add discard sort reverse difference_update "
    "intersection_update appendleft".split()
)
"""Methods that change a list, dict or set in place."""
