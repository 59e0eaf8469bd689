"""The JSON Schema of registry files, held to the loader's own lists of fields."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from redis_guard.registry import keyspaces, settings, use_cases
from redis_guard.registry.model import Primitive
from redis_guard.registry.schema import schema_text
from tests.generate import registry_schema

SCHEMA: dict[str, Any] = json.loads(schema_text())
DEFINITIONS = SCHEMA["$defs"]


def test_it_is_the_generated_one() -> None:
    assert schema_text() == registry_schema.current(), "run `make update`"


def test_it_is_a_schema_of_draft_2020_12() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(SCHEMA)


def test_every_reference_leads_somewhere_and_every_definition_is_used() -> None:
    named = {node["$ref"].removeprefix("#/$defs/") for node in walk(SCHEMA) if "$ref" in node}
    assert named == set(DEFINITIONS)


@pytest.mark.parametrize("primitive", get_args(Primitive))
def test_each_primitive_has_the_fields_that_the_loader_reads(primitive: str) -> None:
    assert list(DEFINITIONS[primitive]["properties"]) == [*use_cases.COMMON, *use_cases.OWN[primitive]]


def test_keyspaces_and_the_top_have_the_fields_that_the_loader_reads() -> None:
    assert list(DEFINITIONS["keyspace"]["properties"]) == list(keyspaces.FIELDS)
    assert set(SCHEMA["properties"]) == {"version", *settings.SETTINGS, *settings.SECTIONS}
    assert set(SCHEMA["properties"]["limits"]["properties"]) == set(settings.LIMITS)


def test_nothing_that_has_fields_takes_unknown_ones() -> None:
    tables = [node for node in walk(SCHEMA) if node.get("type") == "object" and "$ref" not in node]
    open_ended = [node for node in tables if "additionalProperties" not in node]
    assert open_ended == [DEFINITIONS["useCase"]], "which is closed by the definition of its primitive"


def test_an_editor_has_words_for_every_field() -> None:
    for node in walk(SCHEMA):
        for field, value in node.get("properties", {}).items():
            if "$ref" in value:
                value = DEFINITIONS[value["$ref"].removeprefix("#/$defs/")] | value
            condition = "const" in value or "not" in value
            assert condition or value.get("description"), field


def walk(node: object) -> Iterator[dict[str, Any]]:
    """All objects of the schema."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(child)
