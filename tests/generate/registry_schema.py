"""Writes `redis_guard/registry/schema.json`: the registry's format for editors.

Law of this file: which fields an entry has is the loader's own list; a field without words fails here.
"""

import json
from pathlib import Path
from typing import get_args

from redis_guard.registry import keyspaces, settings, use_cases
from redis_guard.registry.model import Primitive
from tests.generate.registry_fields import (
    DEFINITIONS,
    ENDLESS_TTL,
    KEYSPACE,
    OWNER,
    SETTINGS,
    USE_CASE,
    Schema,
    named,
)

TARGET = Path(__file__).resolve().parents[2] / "redis_guard" / "registry" / "schema.json"
PRIMITIVES: dict[str, tuple[str, str]] = {
    "lock": ("Lock", "One holder at a time, for the length of its lease."),
    "claim": ("Claim", "The first claimant is accepted; the others are duplicates."),
    "counter": ("Counter", "A count within a window of time, which begins with the first count."),
    "signal": ("Signal", "Wakes those who listen, at most once; nothing is stored."),
}
TABLES = ("owners", "use_cases", "keyspaces", "abbreviations", "vocabulary", "prefixes", "limits")
"""What is a mapping, and may be left empty."""


def schema() -> Schema:
    """The whole of it, Draft 2020-12."""
    sections: dict[str, Schema] = {
        "owners": {
            "description": "Who is paged. Every owner that an entry names is here, and every one here is named.",
            "propertyNames": named("ownerName"),
            "additionalProperties": named("owner"),
        },
        "use_cases": {
            "description": "Coordination: locks, claims, counters and signals.",
            "propertyNames": named("useCaseName"),
            "additionalProperties": named("useCase"),
        },
        "keyspaces": {
            "description": 'All other keys of this Redis, by key template such as "session:{id}".',
            "propertyNames": named("keyTemplate"),
            "additionalProperties": named("keyspace"),
        },
    }
    version = {"type": "integer", "const": settings.FORMAT_VERSION, "description": "Version of this format."}
    top = {"version": version, **{field: SETTINGS[field] for field in settings.SETTINGS}, **sections}
    for section in TABLES:
        top[section] = {"type": ["object", "null"], **top[section]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "redis-guard registry",
        "description": "Who owns which Redis key. Several files may form one registry.",
        **_fields(top, ("version",)),
        "$defs": {
            **DEFINITIONS,
            "owner": {"title": "Owner", **_fields(OWNER, ("contact",))},
            "useCase": _use_case(),
            **{primitive: _of_primitive(primitive) for primitive in get_args(Primitive)},
            "keyspace": _keyspace(),
        },
    }


def current() -> str:
    """The file as it should be."""
    return json.dumps(schema(), indent=1) + "\n"


def _fields(properties: dict[str, Schema], required: tuple[str, ...]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _use_case() -> Schema:
    """Which fields there are depends on the primitive, so that editors offer those alone."""
    return {
        "title": "Use case",
        "type": "object",
        "properties": {"primitive": USE_CASE["primitive"]},
        "required": ["primitive"],
        "allOf": [
            {"if": _given("primitive", primitive), "then": named(primitive)} for primitive in PRIMITIVES
        ],
    }


def _of_primitive(primitive: str) -> Schema:
    title, description = PRIMITIVES[primitive]
    own = use_cases.OWN[primitive]
    properties = {field: USE_CASE[field] for field in (*use_cases.COMMON, *own)}
    properties["primitive"] = {"const": primitive, "description": description}
    if primitive == "counter":
        properties["failure"] = named("failureOfCounter")
    if primitive in ("claim", "counter"):
        properties["ttl"] = ENDLESS_TTL
    weaker = [{"properties": {"failure": {"not": {"const": "closed"}}}, "required": ["failure"]}]
    weaker += [_given("ttl", "none")] if "ttl" in own else []
    conditions: list[Schema] = [
        {"if": {"anyOf": weaker}, "then": {"required": ["reason"]}},
        {"not": {"required": ["version", "key" if "key" in own else "channel"]}},
    ]
    if "renew" in own:
        both: Schema = {"required": ["max_hold"]}
        conditions.append({"if": _given("renew", True), "then": both, "else": {"not": both}})
    required = ("primitive", "owner", "failure", "description", *(("ttl",) if "ttl" in own else ()))
    return {
        "title": title,
        "description": description,
        **_fields(properties, required),
        "allOf": conditions,
    }


def _keyspace() -> Schema:
    return {
        "title": "Keyspace",
        **_fields(
            {field: KEYSPACE[field] for field in keyspaces.FIELDS}, ("class", "owner", "description", "ttl")
        ),
        "if": _given("ttl", "none"),
        "then": {"required": ["reason"], "not": {"required": ["jitter"]}},
    }


def _given(field: str, value: object) -> Schema:
    return {"properties": {field: {"const": value}}, "required": [field]}


if __name__ == "__main__":
    TARGET.write_text(current(), encoding="utf-8")
