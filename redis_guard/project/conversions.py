"""Names that say whether a function changes what it is given.

Law of this file: data only; by last names, since what a name stands for is often out of sight.
"""

CONVERSIONS = frozenset(
    (
        *(
            "int",
            "float",
            "str",
            "bytes",
            "bool",
            "list",
            "dict",
            "set",
            "tuple",
            "frozenset",
            "sorted",
            "iter",
        ),
        *(
            "decode",
            "encode",
            "strip",
            "rstrip",
            "lstrip",
            "loads",
            "dumps",
            "load",
            "dump",
            "items",
            "values",
        ),
        *(
            "keys",
            "get",
            "copy",
            "deepcopy",
            "cast",
            "ensure_str",
            "force_str",
            "force_bytes",
            "to_text",
            "to_bytes",
        ),
        *(
            "Decimal",
            "UUID",
            "fromisoformat",
            "fromtimestamp",
            "unpackb",
            "packb",
            "decompress",
            "compress",
            "hex",
        ),
        *(
            "BytesIO",
            "b64decode",
            "b64encode",
            "memoryview",
            "unhexlify",
            "Unpickler",
        ),
        *(
            "deserialize",
            "serialize",
            "wait_for",
            "shield",
            "gather",
            "model_validate_json",
            "parse_raw",
            "lower",
        ),
    )
)
"""Functions and methods whose result says what went in."""

LOOK_UPS = frozenset({"get", "setdefault"})
"""Of these, what they are asked for does not arrive, only what is found under it."""

MUTATORS = frozenset(
    (
        *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "add"),
        *("discard", "sort", "reverse", "difference_update", "intersection_update", "appendleft"),
    )
)
"""Methods that change a list, dict or set in place."""
