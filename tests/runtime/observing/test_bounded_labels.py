"""Whatever keys a client uses, metrics are labelled from the registry and from closed lists."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry
from redis.exceptions import RedisError

from redis_guard.registry import Registry
from redis_guard.registry.model import Primitive
from redis_guard.runtime.faults import ERROR_CLASSES
from redis_guard.runtime.observing.deciding import Decision
from redis_guard.runtime.observing.observer import Observer
from redis_guard.runtime.outcomes import ClaimOutcome, CounterOutcome, LockOutcome, SignalOutcome
from redis_guard.runtime.telemetry import UNREGISTERED
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

LISTS = (Primitive, LockOutcome, ClaimOutcome, CounterOutcome, SignalOutcome)
CLOSED = {value for closed in LISTS for value in get_args(closed)} | {*ERROR_CLASSES, UNREGISTERED, ""}

tails = st.text(max_size=20)
keys = (
    st.builds(
        "{}{}".format, st.sampled_from(["invoice:", "lock:a:", "login:", "flags:", "session:", ""]), tails
    )
    | st.builds("login:{}:tries".format, tails)
    | st.binary(max_size=20)
    | st.integers()
)
decisions = st.tuples(st.sampled_from(["first", "count", "publish"]), keys).map(lambda pair: Decision(*pair))
replies = st.none() | st.booleans() | st.integers() | st.binary() | st.text().map(RedisError)


@given(st.lists(st.tuples(decisions, replies), min_size=1, max_size=10))
def test_no_key_is_ever_in_a_label(registry: Registry, seen: list[tuple[Decision, object]]) -> None:
    collected = CollectorRegistry()
    observer = Observer(registry, PrometheusTelemetry(collected), "default")

    for decision, reply in seen:
        observer.answered(decision, reply, 0.001)

    labels = {
        value
        for family in collected.collect()
        for sample in family.samples
        for name, value in sample.labels.items()
        if name != "le"
    }
    assert labels <= CLOSED | registry.use_cases.keys() | registry.owners.keys()
