"""What messages advise, with a registry and without."""

import pytest

from redis_guard.behaviour.advice import advise
from redis_guard.behaviour.terms import Behaviour
from redis_guard.project.keys import Hole, Key
from redis_guard.registry import EMPTY_REGISTRY, Registry, load_registry

LOGIN = Key(("login:", Hole("x", "account"), ":attempts"))
SESSION = Key(("session:", Hole("x", "sid")))
REGISTRY = """
version: 1
owners: {identity: {contact: "#identity", description: Sign-in}}
use_cases:
  login_attempts:
    {primitive: counter, owner: identity, ttl: 10m, failure: closed, description: Failed logins per account,
     key: "login:{id}:attempts"}
  flags_changed:
    {primitive: signal, owner: identity, failure: closed, description: Read the flags again, channel: "flags"}
keyspaces:
  "session:{id}": {class: cache, owner: identity, ttl: required, description: Web sessions}
"""


@pytest.fixture
def registry(tmp_path) -> Registry:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY, encoding="utf-8")
    return load_registry([path])


@pytest.mark.parametrize(
    ("behaviour", "primitive"),
    [("lock-like", "lock"), ("claim-like", "claim"), ("counter-like", "counter"), ("signal-like", "signal")],
)
def test_coordination_is_sent_to_its_primitive(behaviour: Behaviour, primitive: str):
    advice = advise(behaviour, LOGIN, EMPTY_REGISTRY)

    assert advice.text.startswith(
        f"{behaviour}: register a {primitive} use case and call coordination.{primitive}("
    )
    assert advice.entry is None


def test_a_cache_entry_is_sent_behind_the_cache_interface():
    assert "cache interface" in advise("cache-like", SESSION, EMPTY_REGISTRY).text


def test_a_registered_use_case_is_named_with_its_owner_and_call(registry):
    advice = advise("counter-like", LOGIN, registry)

    assert advice.entry == "login_attempts"
    assert advice.text == (
        "the key belongs to the counter login_attempts of identity: "
        'call coordination.counter("login_attempts", …).increment()'
    )


def test_a_keyspace_is_named_with_its_class_and_owner(registry):
    advice = advise("unknown", SESSION, registry)

    assert advice.entry == "session:{id}"
    assert "cache keyspace session:{id} of identity" in advice.text


def test_a_channel_is_looked_up_among_signals(registry):
    assert advise("signal-like", Key(("flags",)), registry).entry == "flags_changed"
    assert advise("signal-like", SESSION, registry).entry is None


def test_a_key_that_no_entry_knows_gets_the_advice_of_its_behaviour(registry):
    assert advise("lock-like", Key(("other:", Hole("x", "id"))), registry).entry is None
