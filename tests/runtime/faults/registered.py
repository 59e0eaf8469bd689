"""The registry of these tests: a use case for each primitive and policy.

Law of this file: names say what is registered; times are short where a test waits for them and long where it must not.
"""

from redis_guard.registry import Registry
from redis_guard.registry.loader import Source, load_sources

REASON = "reason: The work may run twice"

# A test that expects an answer leaves the machine time to dawdle; one that expects none does not wait long for it.
PATIENT = 2.0
SHORT = 0.2

_USE_CASES = f"""
  lock_closed: {{primitive: lock, ttl: 30s, failure: closed}}
  lock_open: {{primitive: lock, ttl: 30s, failure: open, {REASON}}}
  lock_brief: {{primitive: lock, ttl: 600ms, failure: closed}}
  lock_renewed: {{primitive: lock, ttl: 1s, failure: closed, renew: true, max_hold: 1h}}
  lock_renewed_long: {{primitive: lock, ttl: 30s, failure: closed, renew: true, max_hold: 1h}}
  lock_renewed_over_failover: {{primitive: lock, ttl: 4s, failure: closed, renew: true, max_hold: 1h}}
  lock_fenced: {{primitive: lock, ttl: 30s, failure: closed, fencing: true}}
  lock_fenced_brief: {{primitive: lock, ttl: 600ms, failure: closed, fencing: true}}
  lock_fenced_open: {{primitive: lock, ttl: 30s, failure: open, fencing: true, {REASON}}}
  lock_reentrant: {{primitive: lock, ttl: 30s, failure: closed, reentrant: true}}
  lock_reentrant_brief: {{primitive: lock, ttl: 600ms, failure: closed, reentrant: true}}
  lock_held_briefly: {{primitive: lock, ttl: 600ms, failure: closed, renew: true, max_hold: 1500ms}}
  lock_replicated: {{primitive: lock, ttl: 30s, failure: closed, fencing: true, replicas: 1}}
  lock_replicated_open: {{primitive: lock, ttl: 30s, failure: open, replicas: 1, {REASON}}}
  lock_old: {{primitive: lock, ttl: 30s, failure: closed, key: "order:settle:{{order}}"}}
  lock_old_brief: {{primitive: lock, ttl: 600ms, failure: closed, key: "order:refund:{{order}}"}}
  claim_closed: {{primitive: claim, ttl: 1h, failure: closed}}
  claim_open: {{primitive: claim, ttl: 1h, failure: open, {REASON}}}
  claim_old: {{primitive: claim, ttl: 1d, failure: closed, key: "webhook:{{event}}"}}
  counter_closed: {{primitive: counter, ttl: 1h, limit: 5, failure: closed}}
  counter_open: {{primitive: counter, ttl: 1h, limit: 5, failure: open, {REASON}}}
  counter_fallback: {{primitive: counter, ttl: 1h, limit: 5, failure: {{fallback: 6}}, {REASON}}}
  counter_old: {{primitive: counter, ttl: 10m, limit: 5, failure: closed, key: "login:{{account}}:attempts"}}
  signal_closed: {{primitive: signal, failure: closed}}
  signal_open: {{primitive: signal, failure: open, {REASON}}}
"""


def registry(deadline: float = PATIENT, connect_deadline: float = PATIENT) -> Registry:
    """`deadline` and `connect_deadline` in seconds."""
    cases = _USE_CASES.replace("{primitive", "{owner: team, description: For a test, primitive")
    text = (
        f"version: 1\ndeadline: {deadline * 1000:.0f}ms\nconnect_deadline: {connect_deadline * 1000:.0f}ms\n"
        'owners: {team: {contact: "#team", description: The tests}}\n'
        f"use_cases:{cases}"
    )
    return load_sources([Source("redis_guard.yaml", text.encode)])
