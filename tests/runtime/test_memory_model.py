"""The model of the scripts answers as a real server does, and keeps what it keeps, whatever else writes to the keys."""

import time
from typing import Any

import redis
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from redis_guard.runtime import scripts
from redis_guard.runtime.faults import Fault, classify
from redis_guard.runtime.steps import Script
from redis_guard.testing.memory import Memory

KEYS = st.sampled_from([b"{k}:1", b"{k}:1:fence"])
TOKENS = st.sampled_from([b"a", b"7"])
# None for a list.
VALUES = st.sampled_from(
    [
        None,
        b"a",
        b"7",
        b"0",
        b"-3",
        b"007",
        b"1.5",
        b"nan",
        b"9007199254740992",
        b"9223372036854775000",
        b"9" * 20,
    ]
)
# Some end while the test looks on, others outlive it.
TTLS = st.sampled_from([1, 5, 12, 60_000, 90_000])
STEPS = st.sampled_from([1, 2, -1, 0, 1024])
# Microseconds from now.
NOT_AFTERS = st.sampled_from([None, None, None, 60_000_000, -1_000_000])
CHANNELS = st.sampled_from([b"wake", b""])

# Runs a command and tells the time at which it ran.
OTHER = "local time = redis.call('TIME') redis.call(unpack(ARGV)) return time[1] * 1000000 + time[2]"
# Type, value and life of each key, at one moment.
SEEN = """
local time = redis.call('TIME')
local seen = {}
for i, key in ipairs(KEYS) do
  seen[i] = {redis.call('TYPE', key).ok, redis.pcall('GET', key), redis.call('PTTL', key)}
  if type(seen[i][2]) == 'table' then seen[i][2] = '' end
end
return {time[1] * 1000000 + time[2], seen}
"""
# A lifetime counts from the start of a command, the time in the answer is a little later.
TOLERANCE_MS = 2


class Twins(RuleBasedStateMachine):
    """Every call goes to the server first; the model gets the time that the server's answer tells."""

    client: redis.Redis

    def __init__(self) -> None:
        super().__init__()
        self.client.flushall()
        self.model = Memory()
        self.reached: set[tuple[str, int]] = set()
        self.messages = self.client.pubsub(ignore_subscribe_messages=True)
        self.messages.subscribe("wake")
        # The server's word that we are subscribed, which is not shown.
        self.messages.get_message(timeout=10)

    def teardown(self) -> None:
        heard = self.heard()
        self.messages.close()
        assert heard == list(self.model.published)

    def heard(self) -> list[tuple[bytes, bytes]]:
        """All messages so far: they arrive in order, and this asks for a last one."""
        self.client.publish("wake", "last")
        heard = []
        while (message := self.messages.get_message(timeout=10)) is None or message["data"] != b"last":
            if message:
                heard.append((message["channel"], message["data"]))
        return heard

    def settled(self, moment_us: float, since_us: float | None = None) -> bool:
        """No key ends so near to the moment that it may have lived for the one and not for the other.

        Where the moment is not told exactly, it lies after `since_us`.
        """
        first = (moment_us if since_us is None else since_us) / 1000 - TOLERANCE_MS
        ends = [stored.end for stored in self.model.keyspace.keys.values() if stored.end is not None]
        return not any(first <= end <= moment_us / 1000 + TOLERANCE_MS for end in ends)

    def settle(self) -> None:
        while not self.settled(time.time() * 1e6):
            time.sleep(0.001)

    def agree(self, script: Script, keys: tuple[bytes, ...], *words: bytes | int, until: int | None) -> None:
        self.settle()
        not_after = 0 if until is None else int(time.time() * 1e6) + until
        args = (not_after, *words)
        expected: Any
        began_us = time.time() * 1e6
        try:
            real = self.client.execute_command("EVAL", script.source, len(keys), *keys, *args)
        except redis.ResponseError as error:
            real, told = classify(error), 0
        else:
            told = real.pop()
        # Errors and some scripts do not tell the time; this machine is the server's too.
        now_us = told or int(time.time() * 1e6)
        if not self.settled(now_us, now_us if told else began_us):
            # The machine dawdled; what is what can no longer be told.
            self.start_afresh()
            return
        try:
            expected = self.model.call(script.name, keys, args, now_us)
        except Fault as fault:
            assert real == fault.error_class
            return
        self.reached.add((script.name, real[0]))
        assert expected.pop() == told
        assert real[:2] == expected[:2]
        # Where the script does not tell the time, it ran at some moment since.
        dawdled_ms = 0 if told else (now_us - began_us) / 1000
        assert abs(real[2] - expected[2]) <= TOLERANCE_MS + dawdled_ms

    def start_afresh(self) -> None:
        self.client.flushall()
        self.heard()
        self.model = Memory()

    def other(self, *command: bytes | str | int) -> int:
        """Milliseconds."""
        self.settle()
        now_us: int = self.client.eval(OTHER, 0, *command)
        return now_us // 1000

    @rule(key=KEYS, fenced=st.booleans(), token=TOKENS, ttl=TTLS, life=TTLS, until=NOT_AFTERS)
    def acquire(self, key: bytes, fenced: bool, token: bytes, ttl: int, life: int, until: int | None) -> None:
        keys = (key, b"{k}:1:fence") if fenced and key != b"{k}:1:fence" else (key,)
        self.agree(scripts.ACQUIRE, keys, token, ttl, *[life] * (len(keys) - 1), until=until)

    @rule(key=KEYS, token=TOKENS, channel=CHANNELS, until=NOT_AFTERS)
    def release(self, key: bytes, token: bytes, channel: bytes, until: int | None) -> None:
        self.agree(scripts.RELEASE, (key,), token, channel, until=until)

    @rule(key=KEYS, token=TOKENS, ttl=TTLS, until=NOT_AFTERS)
    def renew(self, key: bytes, token: bytes, ttl: int, until: int | None) -> None:
        self.agree(scripts.RENEW, (key,), token, ttl, until=until)

    @rule(key=KEYS, token=TOKENS, new=TOKENS, until=NOT_AFTERS)
    def adopt(self, key: bytes, token: bytes, new: bytes, until: int | None) -> None:
        self.agree(scripts.ADOPT, (key,), token, new, until=until)

    @rule(key=KEYS, claimant=TOKENS, ttl=TTLS | st.just(0), until=NOT_AFTERS)
    def claim(self, key: bytes, claimant: bytes, ttl: int, until: int | None) -> None:
        self.agree(scripts.CLAIM, (key,), claimant, ttl, until=until)

    @rule(key=KEYS, step=STEPS, window=TTLS | st.just(0), until=NOT_AFTERS)
    def count(self, key: bytes, step: int, window: int, until: int | None) -> None:
        self.agree(scripts.COUNT, (key,), step, window, until=until)

    @rule(script=st.sampled_from([scripts.READ_COUNT, scripts.RESET_COUNT]), key=KEYS, until=NOT_AFTERS)
    def read_or_reset(self, script: Script, key: bytes, until: int | None) -> None:
        self.agree(script, (key,), until=until)

    @rule(key=KEYS, value=VALUES)
    def somebody_writes_it(self, key: bytes, value: bytes | None) -> None:
        if value is None:
            self.other("DEL", key)
        self.model.keyspace.set(
            key, value, self.other(*(("SET", key, value) if value else ("RPUSH", key, "x")))
        )

    @rule(key=KEYS, ttl=TTLS | st.sampled_from([0, None]))
    def somebody_changes_its_lifetime(self, key: bytes, ttl: int | None) -> None:
        if ttl is None:
            self.model.keyspace.persist(key, self.other("PERSIST", key))
        else:
            self.model.keyspace.pexpire(key, ttl, self.other("PEXPIRE", key, ttl))

    @rule()
    def time_passes(self) -> None:
        time.sleep(0.004)

    @invariant()
    def both_keep_the_same(self) -> None:
        self.settle()
        keys = [b"{k}:1", b"{k}:1:fence"]
        now_us, seen = self.client.eval(SEEN, len(keys), *keys)
        now, space = now_us // 1000, self.model.keyspace
        if not self.settled(now_us):
            self.start_afresh()
            return
        for key, (kind, value, left) in zip(keys, seen, strict=True):
            stored = space.keys[key] if space.exists(key, now) else None
            assert kind == (b"none" if not stored else b"list" if stored.value is None else b"string")
            assert (value or b"") == (stored.value if stored and stored.value else b"")
            assert abs(left - space.pttl(key, now)) <= TOLERANCE_MS


def test_the_model_answers_and_keeps_what_a_server_does(client: redis.Redis) -> None:
    Twins.client = client
    run_state_machine_as_test(
        Twins, settings=settings(max_examples=80, stateful_step_count=30, deadline=None)
    )


def test_every_status_that_a_script_has_is_answered_alike(client: redis.Redis) -> None:
    Twins.client = client
    both, late = Twins(), -1_000_000
    key, other = b"{k}:1", b"{k}:1:fence"
    both.release(key, b"a", b"wake", None)
    both.acquire(key, True, b"a", 60_000, 90_000, late)
    both.acquire(key, True, b"a", 60_000, 90_000, None)
    both.acquire(key, True, b"a", 60_000, 90_000, 60_000_000)
    both.acquire(key, True, b"7", 60_000, 90_000, None)
    both.renew(key, b"a", 90_000, None)
    both.renew(key, b"7", 90_000, None)
    both.renew(key, b"a", 60_000, late)
    both.adopt(key, b"7", b"b", None)
    both.adopt(key, b"a", b"7", late)
    both.adopt(key, b"a", b"7", None)
    both.adopt(key, b"a", b"7", None)
    both.release(key, b"a", b"wake", None)
    both.release(key, b"7", b"wake", late)
    both.claim(key, b"a", 60_000, late)
    both.claim(key, b"a", 60_000, None)
    both.claim(key, b"a", 60_000, None)
    both.claim(key, b"7", 60_000, None)
    both.somebody_writes_it(other, b"7")
    both.count(other, 1, 60_000, late)
    both.count(other, 1, 60_000, None)
    both.count(other, 1, 60_000, None)
    both.read_or_reset(scripts.READ_COUNT, other, late)
    both.read_or_reset(scripts.RESET_COUNT, other, late)
    both.read_or_reset(scripts.RESET_COUNT, other, None)
    both.read_or_reset(scripts.RESET_COUNT, other, None)
    both.both_keep_the_same()
    both.teardown()

    assert both.reached == {
        (name, status)
        for name, statuses in {
            "acquire": (1, 2, 0, -2), "release": (1, 0, -1), "renew": (1, 0, -2), "adopt": (1, 2, 0, -2),
            "claim": (1, 2, 0, -2), "count": (1, 2, -2), "read_count": (1,), "reset_count": (1, 0, -2),
        }.items()
        for status in statuses
    }  # fmt: skip
    assert both.model.published == ((b"wake", b""),)


def test_a_copy_goes_its_own_way() -> None:
    memory = Memory()
    memory.call("acquire", (b"k",), (0, b"a", 1000), 1_000_000)
    before = memory.state(1_000_000)

    twin = memory.copy()
    twin.call("release", (b"k",), (0, b"a", b"wake"), 1_000_000)

    assert memory.state(1_000_000) == before != twin.state(1_000_000)
    assert (memory.published, twin.published) == ((), ((b"wake", b""),))


def test_states_are_equal_once_what_differed_has_expired() -> None:
    one, other = Memory(), Memory()
    one.call("claim", (b"k",), (0, b"a", 1000), 1_000_000)

    assert one.state(2_000_000) != other.state(2_000_000)
    assert one.state(2_001_000) == other.state(2_001_000)
