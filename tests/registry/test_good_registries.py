"""Registries that load, and what they then say."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from redis_guard.registry import (
    DurationRange,
    KeyTemplate,
    Limits,
    Owner,
    Place,
    Registry,
    load_registry,
    read_registry,
)

EXAMPLE = """\
version: 1
namespace: coordination

owners:
  billing:  {contact: "#billing-oncall", description: "Invoicing and exports"}
  identity: {contact: "identity@example.org"}

use_cases:
  invoice_export_claim:
    primitive: claim
    owner: billing
    ttl: 15m
    failure: closed
    description: Only one worker may export an invoice batch
  email_batch_lock:
    primitive: lock
    owner: billing
    ttl: 30s
    failure: closed
    description: One sender per email batch
    renew: true
    max_hold: 10m
    wait: 5s
    fencing: true
  login_attempts:
    primitive: counter
    owner: identity
    ttl: 10m
    limit: 5
    failure: {fallback: 0}
    reason: A login must not fail because Redis is away
    description: Failed logins per account
    key: "login:{id}:attempts"
  flags_changed:
    primitive: signal
    owner: identity
    failure: open
    reason: Consumers re-read flags every minute anyway
    description: Go and re-read the feature flags

keyspaces:
  "session:{id}":   {class: cache,   owner: identity, ttl: required, description: Web sessions}
  "board:{game}":
    {class: durable, owner: billing, ttl: none, type: zset, reason: Rebuilt nightly, description: Boards}

abbreviations: {crm: customer_relationship_management}
vocabulary: {detail: [info, data]}
prefixes: {cache: "temp:", durable: "perm:"}
limits: {key_bytes: 80, string_bytes: 1024}
"""

OWNER = 'owners: {web: {contact: "#web"}}\n'
MINIMAL = "{primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind"


def load(folder: Path, *texts: str) -> Registry:
    paths = []
    for index, text in enumerate(texts):
        path = folder / f"{index}.yaml"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return load_registry(paths)


def test_everything_an_entry_says_is_there(tmp_path: Path) -> None:
    registry = load(tmp_path, EXAMPLE)
    path = (tmp_path / "0.yaml").as_posix()
    assert registry.owners["billing"] == Owner(
        "billing", "#billing-oncall", "Invoicing and exports", Place(path, 5, 3)
    )
    lock, counter = registry.use_cases["email_batch_lock"], registry.use_cases["login_attempts"]
    assert (lock.ttl_ms, lock.wait_ms, lock.max_hold_ms) == (30_000, 5_000, 600_000)
    assert (lock.renew, lock.fencing, lock.reentrant, lock.replicas) == (True, True, False, 0)
    assert lock.place == Place(path, 15, 3)
    assert (counter.failure, counter.fallback, counter.limit) == ("fallback", 0, 5)
    assert counter.reason == "A login must not fail because Redis is away"
    board = registry.keyspaces[1]
    assert (board.name, board.key_class, board.ttl, board.type) == ("board:{game}", "durable", "none", "zset")
    assert registry.abbreviations == {"crm": "customer_relationship_management"}
    assert registry.vocabulary == {"detail": ("info", "data")}
    assert registry.prefixes == {"cache": "temp:", "durable": "perm:"}
    assert registry.limits == Limits(key_bytes=80, string_bytes=1024, elements=5_000)
    assert [entry.name for entry in registry.entries][-2:] == ["session:{id}", "board:{game}"]


def test_a_key_is_the_default_one_and_percent_encoded_unless_the_entry_gives_its_own(tmp_path: Path) -> None:
    cases = load(tmp_path, EXAMPLE).use_cases
    claim, counter, signal = (
        cases[name] for name in ("invoice_export_claim", "login_attempts", "flags_changed")
    )
    assert (claim.key, claim.encoding, claim.explicit_key) == (
        KeyTemplate.parse("coordination:invoice_export_claim:{id}"),
        "percent",
        False,
    )
    assert (counter.key, counter.encoding) == (KeyTemplate.parse("login:{id}:attempts"), "raw")
    assert signal.key == KeyTemplate.parse("coordination:flags_changed")


def test_what_is_not_given_has_its_default(tmp_path: Path) -> None:
    registry = load(tmp_path, f"version: 1\n{OWNER}use_cases:\n  one: {MINIMAL}}}\n")
    case = registry.use_cases["one"]
    assert (case.deadline_ms, case.instance, case.version, case.wait_ms) == (250, "default", 1, 0)
    assert (case.max_hold_ms, case.limit, case.reread_ms, case.fallback) == (None, None, 60_000, None)
    assert (registry.namespace, registry.connect_deadline_ms) == ("coordination", 1_000)
    assert registry.limits == Limits(100, 10_240, 5_000)


def test_settings_of_the_top_reach_the_entries(tmp_path: Path) -> None:
    text = f"version: 1\nnamespace: shop\ndeadline: 1s\nconnect_deadline: 2s\n{OWNER}use_cases:\n"
    registry = load(
        tmp_path,
        text + f"  one: {MINIMAL}}}\n"
        f"  two: {MINIMAL}, version: 2, deadline: 90ms, encoding: raw, instance: queue}}\n"
        f'  three: {MINIMAL}, key: "{{namespace}}/{{name}}/{{tenant}}:{{id}}"}}\n',
    )
    one, two, three = registry.use_cases.values()
    assert (one.key.text, one.deadline_ms) == ("shop:one:{id}", 1_000)
    assert (two.key.text, two.deadline_ms, two.encoding, two.instance) == (
        "shop:two@2:{id}",
        90,
        "raw",
        "queue",
    )
    assert three.key.text == "shop/three/{tenant}:{id}"
    assert registry.connect_deadline_ms == 2_000


@pytest.mark.parametrize(
    ("ttl", "read"),
    [("7d", DurationRange(604_800_000, 604_800_000)), ("10m..1h", DurationRange(600_000, 3_600_000))],
)
def test_a_keyspace_may_have_a_duration_or_a_range(tmp_path: Path, ttl: str, read: DurationRange) -> None:
    entry = f'"a:{{id}}": {{class: cache, owner: web, ttl: {ttl}, jitter: 30s, description: Things}}'
    registry = load(tmp_path, f"version: 1\n{OWNER}keyspaces:\n  {entry}\n")
    assert (registry.keyspaces[0].ttl, registry.keyspaces[0].jitter_ms) == (read, 30_000)


def test_names_resolve_over_the_whole_set_whatever_the_order_of_files(tmp_path: Path) -> None:
    team = f"version: 1\nuse_cases:\n  one: {MINIMAL}}}\n"
    shared = f"version: 1\nnamespace: shop\n{OWNER}"
    assert load(tmp_path, team, shared).use_cases["one"].key.text == "shop:one:{id}"


def test_settings_that_several_files_give_alike_are_no_conflict(tmp_path: Path) -> None:
    head = "version: 1\nnamespace: shop\nabbreviations: {crm: relations}\nlimits: {elements: 9}\n"
    registry = load(tmp_path, head + OWNER, f"{head}use_cases:\n  one: {MINIMAL}}}\n")
    assert (registry.namespace, registry.limits.elements) == ("shop", 9)


def test_one_key_on_two_servers_is_two_keyspaces(tmp_path: Path) -> None:
    entry = 'keyspaces:\n  "a:{id}": {class: cache, owner: web, ttl: 1h, description: Things'
    registry = load(tmp_path, f"version: 1\n{OWNER}{entry}}}\n", f"version: 1\n{entry}, instance: other}}\n")
    assert [space.instance for space in registry.keyspaces] == ["default", "other"]


def test_anchors_aliases_and_merges_are_followed(tmp_path: Path) -> None:
    registry = load(
        tmp_path,
        f"version: 1\n{OWNER}use_cases:\n"
        "  one: &one\n"
        "    {primitive: lock, owner: web, ttl: 30s, failure: closed, description: &text One at once}\n"
        "  two: {<<: *one, ttl: 1m}\n"
        "  three: {<<: [*one], description: *text}\n",
    )
    assert [case.ttl_ms for case in registry.use_cases.values()] == [30_000, 60_000, 30_000]


@pytest.mark.parametrize("written", ["0", "0s"])
def test_no_wait_may_be_written_as_a_bare_zero(tmp_path: Path, written: str) -> None:
    registry = load(tmp_path, f"version: 1\n{OWNER}use_cases:\n  one: {MINIMAL}, wait: {written}}}\n")
    assert registry.use_cases["one"].wait_ms == 0


def test_sections_may_be_empty_and_the_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "redis_guard.yaml"
    path.write_bytes("\ufeffversion: 1\r\nowners:\r\nuse_cases: {}\r\nkeyspaces:\r\n".encode())
    assert load_registry([path]) == Registry()


def test_a_path_given_twice_is_one_file(tmp_path: Path) -> None:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(EXAMPLE)
    assert load_registry([path, path]) == load_registry([path])


def test_a_first_segment_that_two_owners_use_is_a_warning_that_names_both_places(tmp_path: Path) -> None:
    entries = "".join(
        f'  "{key}": {{class: cache, owner: {owner}, ttl: 1h, description: Things}}\n'
        for key, owner in [
            ("a:x:{id}", "web"),
            ("a:y:{id}", "web"),
            ("a:z:{id}", "shop"),
            ("a:w:{id}", "shop"),
        ]
    )
    owners = "owners: {web: {contact: w}, shop: {contact: s}}\n"
    registry = load(tmp_path, f"version: 1\n{owners}keyspaces:\n{entries}")
    path = (tmp_path / "0.yaml").as_posix()
    assert [(problem.kind, str(problem)) for problem in registry.problems] == [
        (
            "shared-prefix",
            f'{path}:6:3: keyspace "a:z:{{id}}": keys of web begin with "a" too, at {path}:4:3',
        )
    ]


def test_use_cases_of_several_owners_share_the_namespace_without_a_warning(tmp_path: Path) -> None:
    assert load(tmp_path, EXAMPLE).problems == ()


def test_overlapping_keys_alone_leave_a_registry_that_rules_can_read(tmp_path: Path) -> None:
    path = tmp_path / "redis_guard.yaml"
    case = (
        "{primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind, key: 'a:{id}'}"
    )
    path.write_text(f"version: 1\n{OWNER}use_cases:\n  one: {case}\n  two: {case}\n")
    registry = read_registry([path])
    assert list(registry.use_cases) == ["one", "two"]
    assert [(problem.kind, problem.line, problem.column) for problem in registry.problems] == [
        ("overlapping-keys", 5, 3)
    ]


def test_a_registry_crosses_process_borders(tmp_path: Path) -> None:
    registry = load(tmp_path, EXAMPLE)
    assert pickle.loads(pickle.dumps(registry)) == registry


def test_without_a_file_to_read_yaml_is_not_loaded() -> None:
    code = (
        "import sys; from redis_guard.registry import load_registry; load_registry([]);"
        "sys.exit('yaml' in sys.modules or 'difflib' in sys.modules or 'libcst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
