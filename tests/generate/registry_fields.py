"""What JSON Schema can say of each field of a registry, and the words an editor shows for it.

Law of this file: one schema for each field, whatever the primitive; patterns and choices are the loader's own.
"""

from typing import Any, get_args

from redis_guard.registry.durations import MILLISECONDS
from redis_guard.registry.fields import BIGGEST
from redis_guard.registry.keyspaces import VALUE_TYPES
from redis_guard.registry.model import (
    DEFAULT_INSTANCE,
    DEFAULT_NAMESPACE,
    Encoding,
    KeyClass,
    Limits,
    Primitive,
)
from redis_guard.registry.names import LONGEST_NAME, OWNER_NAME, SEGMENT, USE_CASE_NAME
from redis_guard.registry.templates import LONGEST_TEMPLATE

# Draft 2020-12 is a language of its own; a schema is whatever it says.
Schema = dict[str, Any]

_UNIT = f"(?:{'|'.join(MILLISECONDS)})"
_DURATION = f"0*[1-9][0-9]*{_UNIT}"
_LITERAL = r"(?:[^{}\u0000-\u001f\u007f-\u00a0\u2028\u2029]|\{\{|\}\})"
_HOLE = r"\{[A-Za-z_][A-Za-z0-9_]*\}"
_REST = r"\{[A-Za-z_][A-Za-z0-9_]*\*\}"


def named(definition: str, description: str = "", **more: object) -> Schema:
    """A reference to one of the definitions."""
    return {"$ref": f"#/$defs/{definition}", **({"description": description} if description else {}), **more}


def name(pattern: str) -> Schema:
    """What something may be called."""
    return {"type": "string", "pattern": f"^{pattern}$", "maxLength": LONGEST_NAME}


def flag(description: str) -> Schema:
    """true or false, false by default."""
    return {"type": "boolean", "default": False, "description": description}


def choice(options: object, description: str) -> Schema:
    """One of the values of a Literal."""
    return {"enum": list(get_args(options)), "description": description}


DEFINITIONS: dict[str, Schema] = {
    "text": {"type": "string", "pattern": r"\S"},
    "positive": {"type": "integer", "minimum": 1, "maximum": BIGGEST},
    "count": {"type": "integer", "minimum": 0, "maximum": BIGGEST},
    "ownerName": name(OWNER_NAME),
    "useCaseName": name(USE_CASE_NAME),
    "duration": {
        "title": "Duration",
        "type": "string",
        "pattern": f"^{_DURATION}$",
        "examples": ["500ms", "30s", "15m", "2h", "7d"],
    },
    "keyTemplate": {
        "title": "Key template",
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_TEMPLATE,
        # Something stands between two placeholders, and nothing after one for the rest.
        "pattern": f"^(?:{_REST}|(?:{_HOLE})?(?:{_LITERAL}+{_HOLE})*(?:{_LITERAL}+(?:{_REST})?)?)$",
        "description": "{id} is one segment, {rest*} the rest of the key, {{ and }} the braces themselves.",
    },
    "failure": {
        "title": "Failure policy",
        "enum": ["closed", "open"],
        "description": "When Redis does not answer: closed raises an error, open goes on (with a reason).",
    },
    "failureOfCounter": {
        "title": "Failure policy",
        "anyOf": [
            {"enum": ["closed", "open"]},
            {
                "type": "object",
                "properties": {"fallback": named("count", "The count that stands in.")},
                "required": ["fallback"],
                "additionalProperties": False,
            },
        ],
        "description": "When Redis does not answer: closed raises an error; open counts 0 and {fallback: N} counts N"
        " (each with a reason).",
    },
}

USE_CASE: dict[str, Schema] = {
    "primitive": choice(Primitive, "What kind of coordination it is."),
    "owner": named("text", "Who is paged: one of the owners, declared in any file of the set."),
    "failure": named("failure"),
    "description": {
        "type": "string",
        "pattern": r"\S\s+\S+\s+\S",
        "description": "What is coordinated, and why: three words or more.",
    },
    "reason": named(
        "text", "Why failure: open, a fallback or ttl: none is right. Required beside each of them."
    ),
    "encoding": choice(
        Encoding,
        "How identifiers enter the key: percent (default) encodes :, %, braces, white space and control characters;"
        " raw (default beside a key or channel of its own) writes what an f-string writes.",
    ),
    "version": named(
        "positive", "Part of the default key from 2 on. Not beside a key or channel of its own."
    ),
    "deadline": named(
        "duration", "Time one exchange with the server may take. Default: that of the top, or 250ms."
    ),
    "instance": name(OWNER_NAME)
    | {"default": DEFAULT_INSTANCE, "description": "Which Redis it lives in, where there are several."},
    "ttl": named("duration", "The lease: after it the lock is free, whatever became of its holder."),
    "key": named(
        "keyTemplate",
        "The key older code already writes. Default: {namespace}:{name}:{id}.",
        allOf=[named("text")],
    ),
    "wait": {
        "anyOf": [{"type": "integer", "const": 0}, {"type": "string", "pattern": f"^(?:0|[0-9]+{_UNIT})$"}],
        "description": "How long a caller waits by default; 0, the default, tries once.",
        "examples": [0, "5s"],
    },
    "renew": flag("The lease is renewed while it is held, until max_hold."),
    "max_hold": named("duration", "Where a renewed lease ends all the same; not shorter than the ttl."),
    "fencing": flag("Hands out a number that rises from holder to holder."),
    "reentrant": flag("A thread or task may take the lock that it holds once more."),
    "replicas": named("count", "Replicas that must have the lock before it counts as taken. Default: 0."),
    "limit": named("positive", "A count above it is exceeded."),
    "channel": named(
        "keyTemplate",
        "The channel older code already uses. Default: {namespace}:{name}.",
        allOf=[named("text")],
    ),
    "reread": named("duration", "Longest time between two wakes. Default: 60s."),
}

ENDLESS_TTL: Schema = {
    "anyOf": [named("duration"), {"const": "none"}],
    "description": "The claim's life or the counter's window; none needs a reason.",
    "examples": ["15m", "none"],
}

KEYSPACE: dict[str, Schema] = {
    "class": choice(
        KeyClass,
        "cache can be made anew; durable is the truth, or dear to make; coordination is older code's locks, claims"
        " and counters.",
    ),
    "owner": USE_CASE["owner"],
    "description": named("text", "What these keys hold."),
    "ttl": {
        "title": "Lifetime",
        "anyOf": [
            named("duration"),
            {"type": "string", "pattern": rf"^\s*{_DURATION}\s*\.\.\s*{_DURATION}\s*$"},
            {"enum": ["required", "none"]},
        ],
        "description": "A duration, a range, required (there is one), or none with a reason.",
        "examples": ["7d", "10m..1h", "required", "none"],
    },
    "type": {"enum": list(VALUE_TYPES), "description": "Type of the values."},
    "jitter": named("duration", "By how much the writers spread the lifetime."),
    "reason": named("text", "Why ttl: none is right. Required beside it."),
    "instance": USE_CASE["instance"],
}

OWNER: dict[str, Schema] = {
    "contact": named(
        "text", "Where they are reached: a channel, an address, a rota. Quote what begins with #."
    ),
    "description": named("text", "What they answer for."),
}

SETTINGS: dict[str, Schema] = {
    "namespace": name(SEGMENT)
    | {"default": DEFAULT_NAMESPACE, "description": "First segment of every default key."},
    "deadline": named("duration", "Time one exchange with the server may take, by default. Default: 250ms."),
    "connect_deadline": named("duration", "Time that opening a connection may take. Default: 1s."),
    "abbreviations": {
        "description": "Short codes that keys may use, and what they stand for.",
        "additionalProperties": named("text"),
    },
    "vocabulary": {
        "description": "One word for each thing, and its synonyms, which are reported.",
        "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    },
    "prefixes": {
        "description": "What keys of a class begin with.",
        "properties": {
            key_class: named("text", f"What {key_class} keys begin with.") for key_class in get_args(KeyClass)
        },
        "additionalProperties": False,
    },
    "limits": {
        "description": "What counts as long and big.",
        "properties": {
            "key_bytes": named("positive", f"Bytes of a key. Default: {Limits.key_bytes}."),
            "string_bytes": named("positive", f"Bytes of a string. Default: {Limits.string_bytes}."),
            "elements": named("positive", f"Elements of a collection. Default: {Limits.elements}."),
        },
        "additionalProperties": False,
    },
}
