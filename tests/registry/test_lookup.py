"""Which entry do keys of the code belong to?"""

from pathlib import Path

import pytest

from redis_guard.registry import EMPTY_REGISTRY, Keyspace, Registry, UseCase, load_registry

REGISTRY = """
version: 1
owners: {web: {contact: web@example.org}}
use_cases:
  login_attempts: {primitive: counter, owner: web, ttl: 10m, failure: closed, key: "login:{id}:attempts",
    description: Failed logins per account}
  email_batch_lock: {primitive: lock, owner: web, ttl: 30s, failure: closed, description: One sender a batch}
  flags_changed: {primitive: signal, owner: web, failure: closed, description: Re-read the flags}
keyspaces:
  "session:{id}": {class: cache, owner: web, ttl: required, description: Sessions}
  "board:{game}:{season}": {class: durable, owner: web, ttl: none, reason: Rebuilt, description: Boards}
  "board:{game}:{season}:{week}": {class: cache, owner: web, ttl: 7d, description: Boards of one week}
  "file:{rest*}": {class: cache, owner: web, ttl: 1h, description: Rendered files}
  "{{tag}}:{id}": {class: cache, owner: web, ttl: 1h, description: Keys in one slot}
  "page_{id}": {class: cache, owner: web, ttl: 1h, description: Pages}
  "config": {class: cache, owner: web, ttl: 1h, description: The settings}
"""


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY)
    return load_registry([path])


def name_for(registry: Registry, template: str) -> str | None:
    entry = registry.entry_for_key(template)
    return entry and entry.name


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("session:{}", "session:{id}"),
        ("session:{request.user.id}", "session:{id}"),
        ("session:v1-{id}", "session:{id}"),
        ("session:{a}{b}", "session:{id}"),
        ("session:admin", "session:{id}"),
        ("login:{account}:attempts", "login_attempts"),
        ("coordination:email_batch_lock:{}", "email_batch_lock"),
        ("file:{}", "file:{rest*}"),
        ("file:{}:{}:x", "file:{rest*}"),
        ("page_{}", "page_{id}"),
        ("config", "config"),
        ("{{tag}}:{}", "{{tag}}:{id}"),
    ],
)
def test_a_hole_of_the_code_stands_for_what_a_placeholder_stands_for(
    registry: Registry, template: str, name: str
) -> None:
    assert name_for(registry, template) == name


@pytest.mark.parametrize(
    "template",
    [
        "{}",
        "{prefix}{key}",
        "{}:{}",
        "{prefix}:{id}",
        "{prefix}:attempts",
        "session{suffix}",
        "ses{rest}",
        "session:{a}:{b}",
        "session:",
        "sessions:{id}",
        "login:{id}",
        "login:{id}:attempt",
        "login:{id}:attempts:{x}",
        "config:{}",
        "{tag}:{id}",
        "",
        "{",
        "}",
    ],
)
def test_a_key_whose_literal_text_is_not_the_entrys_belongs_to_nobody(
    registry: Registry, template: str
) -> None:
    assert name_for(registry, template) is None


def test_one_hole_may_fill_several_placeholders_and_the_separators_between(registry: Registry) -> None:
    assert name_for(registry, "board:{game_and_season}") == "board:{game}:{season}"
    assert name_for(registry, "board:{}:{}") == "board:{game}:{season}"
    assert name_for(registry, "board:{}:{}:{}") == "board:{game}:{season}:{week}"


def test_a_signal_is_found_by_its_channel_and_never_by_a_key(registry: Registry) -> None:
    assert registry.entry_for_key("coordination:flags_changed") is None
    signal = registry.signal_for_channel("coordination:flags_changed")
    assert signal is not None
    assert signal.name == "flags_changed"
    assert registry.signal_for_channel("coordination:email_batch_lock:{}") is None


def test_entries_are_use_cases_and_keyspaces(registry: Registry) -> None:
    assert isinstance(registry.entry_for_key("login:{}:attempts"), UseCase)
    assert registry.keyspace_for("login:{}:attempts") is None
    assert isinstance(registry.keyspace_for("session:{}"), Keyspace)


def test_use_cases_are_found_by_name_and_misspelt_names_have_close_ones(registry: Registry) -> None:
    assert registry.use_case("login_attempts") is registry.use_cases["login_attempts"]
    assert registry.use_case("login_attemps") is None
    assert registry.close_names("login_attemps") == ("login_attempts",)
    assert registry.close_names("quite_another_thing") == ()


def test_the_empty_registry_answers_every_question_with_nothing() -> None:
    assert EMPTY_REGISTRY.entry_for_key("session:{}") is None
    assert EMPTY_REGISTRY.signal_for_channel("x") is None
    assert EMPTY_REGISTRY.close_names("x") == ()
    assert load_registry([]) == EMPTY_REGISTRY
