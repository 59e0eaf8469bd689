"""Writes `redis_guard/config/schema.json`: the table `[tool.redis-guard]` for editors.

Law of this file: which keys there are is the loader's own list; a key without words fails here.
"""

import json
from pathlib import Path
from typing import Any

from redis_guard.config import keys
from redis_guard.config.model import (
    DEFAULT_BASELINE,
    DEFAULT_CACHE,
    DEFAULT_REGISTRY,
    DEFAULT_TARGET_SERVER,
    Config,
)

# Draft 2020-12 is a language of its own; a schema is whatever it says.
Schema = dict[str, Any]

TARGET = Path(__file__).resolve().parents[2] / "redis_guard" / "config" / "schema.json"

# Of ASCII the letters, digits and the underscore; what else is a letter, no schema knows.
_FIRST = r"[^\u0000-\u0040\u005b-\u005e\u0060\u007b-\u007f]"
_REST = r"[^\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007f]"
_NAME = rf"{_FIRST}{_REST}*"
_DOTTED = rf"{_NAME}(?:\.{_NAME})*"
_NUMBER = f"[0-9]{{1,{keys.LONGEST_NUMBER}}}"
_RULES = "Each a code (RG201), the beginning of codes (RG2), a name (missing-ttl) or ALL."


def _texts(description: str, item: str = "text", **more: object) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{item}"}, "description": description, **more}


def _text(description: str, **more: object) -> Schema:
    return {"$ref": "#/$defs/text", "description": description, **more}


KEYS: dict[str, Schema] = {
    "registry": _texts(
        f"The registry's files: paths and patterns (** too). Default: {DEFAULT_REGISTRY} if it is there.",
        examples=[["services/*/redis_guard.yaml"]],
    ),
    "select": _texts(f"The rules to judge by, instead of those that are on by default. {_RULES}"),
    "ignore": _texts(f"Rules to leave out. {_RULES}"),
    "extend-select": _texts(f"Rules to judge by as well. {_RULES}"),
    "severity": {
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/rule"},
        "additionalProperties": {"$ref": "#/$defs/severity"},
        "description": f"How bad a rule's findings are. {_RULES}",
        "examples": [{"RG704": "note"}],
    },
    "fail-on": {
        "$ref": "#/$defs/severity",
        "default": Config.__dataclass_fields__["fail_on"].default,
        "description": "The least severity for exit status 1.",
    },
    "exclude": _texts("Files and folders that are no part of the project, as in a .gitignore."),
    "src": _texts('Folders with top-level modules and packages. Default: the root and "src".'),
    "allow": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "paths": _texts("Files and folders, as in a .gitignore.", minItems=1),
                "rules": _texts(_RULES, minItems=1),
                "reason": _text(
                    f"Why: {keys.LEAST_REASON_WORDS} words or more.",
                    pattern=r"\S+\s+" * (keys.LEAST_REASON_WORDS - 1) + r"\S",
                ),
            },
            "required": list(keys.ALLOW_KEYS),
            "additionalProperties": False,
        },
        "description": "Files that are exempt from rules.",
    },
    "baseline": _text("The file of recorded old findings.", default=DEFAULT_BASELINE),
    "clients": _texts(
        "Dotted names of classes, functions and variables that are clients, or give some.",
        "dotted",
        examples=[["app.clients.get_redis"]],
    ),
    "not-clients": _texts("Dotted names of what only looks like a client.", "dotted"),
    "guess": {
        "type": "boolean",
        "default": Config.__dataclass_fields__["guess"].default,
        "description": "Whether a name alone (redis_client) may speak for a client.",
    },
    "target-server": _text(
        "The oldest server that the code meets; advice needs no newer one.",
        pattern=rf"^{_NUMBER}(?:\.{_NUMBER}){{0,2}}$",
        default=DEFAULT_TARGET_SERVER,
    ),
    "coordination": _text(
        "Where the runtime's object is: module:attribute.",
        pattern=f"^{_DOTTED}:{_DOTTED}$",
        examples=["app.coordination:coordination"],
    ),
    "cache-dir": _text("Where to keep what is known of files between runs.", default=DEFAULT_CACHE),
    "jobs": {
        "type": "integer",
        "minimum": 1,
        "maximum": keys.MOST_JOBS,
        "description": "Processes for parsing. Default: one for each processor.",
    },
}


def schema() -> Schema:
    """The whole of it, Draft 2020-12."""
    assert list(KEYS["allow"]["items"]["properties"]) == list(keys.ALLOW_KEYS)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "[tool.redis-guard]",
        "description": "The settings of redis-guard in pyproject.toml.",
        "type": "object",
        "properties": {key: KEYS[key] for key in keys.KEYS},
        "additionalProperties": False,
        "$defs": {
            "text": {"type": "string", "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"},
            "rule": {"type": "string"},
            "dotted": {"type": "string", "pattern": f"^{_DOTTED}$"},
            "severity": {"enum": list(keys.SEVERITIES)},
        },
    }


def current() -> str:
    """The file as it should be."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(current(), encoding="utf-8")
