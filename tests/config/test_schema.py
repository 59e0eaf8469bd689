"""The JSON Schema of `[tool.redis-guard]`: generated, complete, and of one mind with the loader."""

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from redis_guard.config import ConfigError, load_config
from redis_guard.config.document import Document
from redis_guard.config.keys import KEYS, config_of
from redis_guard.config.schema import schema_text
from tests.generate import config_schema

SCHEMA: dict[str, Any] = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)

ALLOW = '[[tool.redis-guard.allow]]\npaths = ["a"]\nrules = ["RG1"]\n'
GOOD = (
    "",
    'registry = ["redis_guard.yaml"]',
    'select = ["ALL"]\nignore = []\nextend-select = ["missing-ttl", "RG2"]',
    'severity = {RG7 = "note", missing-ttl = "error"}',
    "severity = {}",
    'fail-on = "note"',
    'exclude = ["fixtures/**", "!a"]\nsrc = ["src", "."]',
    ALLOW + 'reason = "three words long"',
    "allow = []",
    'baseline = "old/base.json"\ncache-dir = "/var/cache/x"',
    'clients = ["app.clients.get_redis", "ünï.côde_1"]\nnot-clients = ["a"]',
    "guess = false",
    'target-server = "7"',
    'target-server = "7.4.1"',
    'coordination = "app.ext:coordination"',
    'coordination = "app.ext:ext.coordination"',
    "jobs = 256",
)
BAD = (
    "registri = []",
    "Select = []",
    'registry = "redis_guard.yaml"',
    'select = "RG1"',
    "select = [1]",
    'ignore = [""]',
    'extend-select = [" "]',
    'severity = {RG7 = "info"}',
    'severity = ["note"]',
    "severity = {RG7 = 1}",
    'fail-on = "never"',
    "fail-on = 1",
    "exclude = {}",
    'src = ["a\\u0000b"]',
    "allow = {}",
    "allow = [1]",
    ALLOW,
    ALLOW + 'reason = "too short"',
    ALLOW + 'reason = ""',
    ALLOW + 'reason = "three words long"\nuntil = 2030-01-01',
    ALLOW.replace('"a"', "") + 'reason = "three words long"',
    'baseline = ["a"]',
    'cache-dir = ""',
    'clients = ["app.clients:get"]',
    'clients = ["app..get"]',
    'not-clients = ["1a"]',
    'guess = "no"',
    "guess = 0",
    "target-server = 7.2",
    'target-server = "seven"',
    'target-server = "7.2.1.0"',
    'target-server = "7."',
    'target-server = "77777"',
    'coordination = "app.ext"',
    'coordination = "app.ext:a:b"',
    'coordination = ":a"',
    "jobs = 0",
    "jobs = 257",
    "jobs = true",
    'jobs = "2"',
)


def taken(root: Path, body: str) -> bool:
    """Whether the loader takes the table."""
    (root / "pyproject.toml").write_text(f"[tool.redis-guard]\n{body}\n", encoding="utf-8")
    (root / "redis_guard.yaml").touch()
    try:
        load_config(root)
    except ConfigError as error:
        assert all(line.partition(": ")[2] for line in str(error).splitlines())
        return False
    return True


def table(body: str) -> object:
    return tomllib.loads(f"[tool.redis-guard]\n{body}\n")["tool"]["redis-guard"]


def test_it_is_the_generated_one() -> None:
    assert schema_text() == config_schema.current(), "run `make update`"


def test_it_is_a_schema_of_draft_2020_12_with_words_for_every_key() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert list(SCHEMA["properties"]) == list(KEYS)
    assert all(key["description"] for key in SCHEMA["properties"].values())


@pytest.mark.parametrize("body", GOOD)
def test_a_good_table_is_taken_by_both(tmp_path: Path, body: str) -> None:
    assert taken(tmp_path, body)
    assert not list(VALIDATOR.iter_errors(table(body)))


@pytest.mark.parametrize("body", BAD)
def test_a_bad_table_is_refused_by_both(tmp_path: Path, body: str) -> None:
    assert not taken(tmp_path, body)
    assert not VALIDATOR.is_valid(table(body))


def test_good_and_bad_tables_speak_of_every_key() -> None:
    for bodies in (GOOD, BAD):
        spoken = {key for body in bodies for key in table(body)}  # type: ignore[attr-defined]
        assert spoken >= set(KEYS)


VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-2, 300),
        st.sampled_from(["", " ", "note", "6.2", "a.b", "a:b", "a b c", "RG1"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["paths", "rules", "reason", "RG1"]), inner, max_size=4),
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([key for key in KEYS if key != "registry"]), VALUES, max_size=2))
def test_whatever_is_written_both_say_the_same(values: dict[str, object]) -> None:
    try:
        config_of(Document(Path("pyproject.toml"), "", values), Path("/project"))
        loads = True
    except ConfigError:
        loads = False
    assert VALIDATOR.is_valid(values) == loads


def test_it_is_printed(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run("config", "schema", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, schema_text(), "")


@pytest.mark.parametrize("key", KEYS)
def test_a_misspelt_key_is_told_with_the_one_that_was_meant(tmp_path: Path, key: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.redis-guard]\n{key}x = 1\n")
    with pytest.raises(ConfigError, match=rf'pyproject.toml:2: unknown key "{key}x" .*did you mean "{key}"'):
        load_config(tmp_path)
