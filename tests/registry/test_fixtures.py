"""Folders of good and broken registries: what the loader says of each, and whether the schema agrees.

A broken file says at its end, in lines `# expect: line:column: message`, everything that must be said of it. A folder
is a set of files that form one registry.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from redis_guard.registry import Problem, RegistryError, load_registry
from redis_guard.registry.schema import schema_text
from redis_guard.registry.tree import Items, Node, Scalar, Table, UnreadableError
from redis_guard.registry.yaml_reader import read_tree

REGISTRIES = Path(__file__).parents[2] / "fixtures" / "registries"
GOOD = sorted((REGISTRIES / "good").iterdir())
BROKEN = sorted((REGISTRIES / "broken").iterdir())
VALIDATOR = Draft202012Validator(json.loads(schema_text()))

NO_YAML = "it is not one YAML document, so there is nothing to judge"
OTHERS = "it depends on what stands elsewhere in the registry"
TWICE = "of a key that is there twice, JSON knows one"
TYPES = "YAML 1.1 reads it as another type than JSON has, or than its text"
SUMS = "it takes arithmetic"

BEYOND_THE_SCHEMA = {
    "not_utf8": NO_YAML,
    "tab_indent": NO_YAML,
    "control_character": NO_YAML,
    "two_documents": NO_YAML,
    "python_object": NO_YAML,
    "tag_on_a_value": NO_YAML,
    "binary_tag": NO_YAML,
    "alias_of_nothing": NO_YAML,
    "alias_bomb": NO_YAML,
    "nested_deeply": NO_YAML,
    "colon_in_plain_text": NO_YAML,
    "quote_left_open": NO_YAML,
    "merge_of_a_text": NO_YAML,
    "list_as_a_key": TYPES,
    "duplicate_use_case": TWICE,
    "duplicate_field": TWICE,
    "duplicate_section": TWICE,
    "duplicate_beside_a_merge": TWICE,
    "name_on_is_a_truth_value": TYPES,
    "key_that_is_a_number": TYPES,
    "contact_that_is_a_date": TYPES,
    "octal_number": TYPES,
    "version_with_a_fraction": TYPES,
    "vocabulary_that_names_itself": OTHERS,
    "vocabulary_with_one_synonym_twice": OTHERS,
    "unknown_owner": OTHERS,
    "unused_owner": OTHERS,
    "end_before_the_first_lease": SUMS,
    "ttl_of_eleven_years": SUMS,
    "ttl_of_a_lock_too_short": SUMS,
    "keyspace_range_backwards": SUMS,
    "placeholder_twice": OTHERS,
    "overlapping_keys": OTHERS,
    "key_that_is_a_fence": OTHERS,
    "two_signals_on_one_channel": OTHERS,
    "set_name_twice": OTHERS,
    "set_owner_twice": OTHERS,
    "set_keyspace_twice": OTHERS,
    "set_namespace_differs": OTHERS,
    "set_overlap": OTHERS,
    "set_unknown_owner": OTHERS,
}


def files_of(registry: Path) -> list[Path]:
    return sorted(registry.iterdir()) if registry.is_dir() else [registry]


def expected(files: list[Path]) -> list[str]:
    """The lines that the files announce, with their places."""
    return [
        f"{file.name}:{line}"
        for file in files
        for line in re.findall(
            r"^# expect: (.*)$", file.read_bytes().decode("utf-8", "replace"), re.MULTILINE
        )
    ]


def problems_of(registry: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Problem, ...]:
    """What the loader says, of files that are called by their bare names."""
    files = files_of(registry)
    monkeypatch.chdir(files[0].parent)
    try:
        load_registry([Path(file.name) for file in files])
    except RegistryError as error:
        return error.problems
    return ()


@pytest.mark.parametrize("registry", BROKEN, ids=lambda path: path.stem)
def test_of_a_broken_registry_everything_is_said_at_its_place(
    registry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [str(problem) for problem in problems_of(registry, monkeypatch)]
    assert lines
    assert lines == expected(files_of(registry))


@pytest.mark.parametrize("registry", GOOD, ids=lambda path: path.stem)
def test_of_a_good_registry_nothing_is_said(registry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems_of(registry, monkeypatch) == ()
    assert expected(files_of(registry)) == []


@pytest.mark.parametrize("registry", GOOD, ids=lambda path: path.stem)
def test_the_schema_takes_what_the_loader_takes(registry: Path) -> None:
    assert [refusal for file in files_of(registry) for refusal in refusals(file)] == []


@pytest.mark.parametrize("registry", BROKEN, ids=lambda path: path.stem)
def test_the_schema_refuses_what_the_loader_refuses_unless_it_cannot(registry: Path) -> None:
    refused = any(refusals(file) for file in files_of(registry))
    assert refused != (registry.stem in BEYOND_THE_SCHEMA)


def test_what_is_beyond_the_schema_is_still_there() -> None:
    assert {path.stem for path in BROKEN} >= set(BEYOND_THE_SCHEMA)


def test_every_kind_of_problem_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {problem.kind for registry in BROKEN for problem in problems_of(registry, monkeypatch)}
    assert kinds == {
        *("bad-yaml", "duplicate-key", "unknown-field", "missing-field", "wrong-type", "bad-value"),
        *("unknown-owner", "unused-owner", "declared-twice", "overlapping-keys"),
    }


def refusals(file: Path) -> list[str]:
    """What the schema says of one file; nothing where there is no document that it could judge."""
    try:
        node = read_tree(file.name, file.read_bytes().decode("utf-8-sig"), [])
    except (UnicodeDecodeError, UnreadableError):
        return []
    return [error.message for error in VALIDATOR.iter_errors(instance(node))]


def instance(node: Node | None) -> object:
    """The JSON of a tree. Types are those that the loader sees; a date, which JSON has not, is its text."""
    if isinstance(node, Table):
        return {key.text: instance(value) for key, value in node.pairs}
    if isinstance(node, Items):
        return [instance(item) for item in node.items]
    if isinstance(node, Scalar) and node.tag in ("int", "float", "bool"):
        return yaml.safe_load(node.text)
    return node.text if isinstance(node, Scalar) and node.tag != "null" else None


def test_no_case_is_there_under_two_names() -> None:
    texts = [tuple(without_expectations(registry)) for registry in BROKEN]
    assert len(set(texts)) == len(texts)


def without_expectations(registry: Path) -> Iterator[bytes]:
    for file in files_of(registry):
        yield b"".join(line for line in file.read_bytes().splitlines() if not line.startswith(b"# expect"))
