"""What must hold at every moment of every schedule.

Law of this file: each law is one function from a state to a complaint or None, in the words of the promise it holds.
"""

from collections.abc import Callable, Iterator

from tests.runtime.interleavings.process import View
from tests.runtime.interleavings.world import BACKWARD, FORWARD, MS, State, World

Law = Callable[[World, State], Iterator[str]]


def never_two_valid_leases(world: World, state: State) -> Iterator[str]:
    """Of one lock, within what the holders themselves take for valid."""
    valid = [
        lease
        for number in state.histories
        for lease in world.local.views[number].leases
        if state.now < lease.deadline
    ]
    for index, lease in enumerate(valid):
        for other in valid[index + 1 :]:
            if lease.key == other.key:
                yield f"{lease.token} and {other.token} both hold a valid lease of one lock"


def a_valid_lease_has_its_key(world: World, state: State) -> Iterator[str]:
    """The server agrees with the holder."""
    keys = dict(state.keys)
    for number in state.histories:
        for lease in world.local.views[number].leases:
            if state.now < lease.deadline:
                stored = keys.get(lease.key)
                if stored is None or stored.value != lease.token.encode():
                    yield f"{lease.token} takes its lease for valid, and the key holds {stored and stored.value}"


def every_key_has_a_ttl(world: World, state: State) -> Iterator[str]:
    """And no longer one than was declared."""
    server = (state.now + state.skew) // MS
    stepped = BACKWARD in world.scenario.befalls
    bounds = world.scenario.bounds.values()
    longest = max(bound.ttl_ms for bound in bounds)
    for key, stored in state.keys:
        if stored.end is None:
            yield f"the key {key.decode()} has no ttl"
        elif not key.endswith(b"fence") and not stepped and stored.end - server > longest:
            yield f"the key {key.decode()} lives {stored.end - server} ms, longer than {longest} ms"


def a_released_lock_is_free(world: World, state: State) -> Iterator[str]:
    """Whoever was told that he has no lease, or has given it back, keeps nobody out.

    Unless the clean-up itself was not answered; or no offset was known and an earlier request was carried out late:
    then the key lives for its ttl at most, which is another law.
    """
    keys = dict(state.keys)
    for number in state.histories:
        for token in world.local.views[number].tokens:
            if token.state != "done" or token.release == "sent" or token.token in state.relapsed:
                continue
            stored = keys.get(token.key)
            if stored is not None and stored.value == token.token.encode():
                yield f"nobody holds {token.token} any more, and it keeps the key {token.key.decode()}"


def a_claim_is_accepted_once(world: World, state: State) -> Iterator[str]:
    """Who was told "accepted" has the claim for all its life."""
    keys = dict(state.keys)
    server = (state.now + state.skew) // MS
    for number in state.histories:
        for key, token in world.local.views[number].accepted:
            began = next((start for at, by, start in state.claimed if (at, by) == (key, token)), None)
            if began is None:
                yield f"{token} was accepted and the server has never seen it"
                continue
            stored = keys.get(key)
            alive = server <= began + world.scenario.bounds["claim"].ttl_ms
            if alive and (stored is None or stored.value != token.encode()):
                yield f"{token} was accepted, and the key holds {stored and stored.value}"


def nothing_is_counted_twice(world: World, state: State) -> Iterator[str]:
    """Each call counts a power of ten of its own: the digits of the counter tell how often it was counted."""
    known: dict[int, str] = {}
    for number in state.histories:
        known.update(world.local.views[number].counted)
    if not known:
        return
    stored = dict(state.keys).get(COUNTER)
    value = int(stored.value or b"0") if stored is not None else 0
    for step, said in known.items():
        times = value // step % 10
        if times > 1:
            yield f"the count of {step} was counted {times} times"
        elif times == 0 and said == "counted":
            yield f"{step} was acknowledged and is not counted"
        elif times == 1 and said == "not counted":
            yield f"{step} was counted, and its caller was told that it was not"


COUNTER = b"coordination:counter:1"

LAWS: tuple[Law, ...] = (
    never_two_valid_leases,
    a_valid_lease_has_its_key,
    every_key_has_a_ttl,
    a_released_lock_is_free,
    a_claim_is_accepted_once,
    nothing_is_counted_twice,
)


def laws_of(befalls: frozenset[str]) -> tuple[Law, ...]:
    """All of them, but for those that no code can keep when the server's clock is set.

    Set forward, it ends lifetimes early; set back, it lets late requests in.
    """
    without: set[Law] = set()
    if FORWARD in befalls:
        without |= {never_two_valid_leases, a_valid_lease_has_its_key, a_claim_is_accepted_once}
    if BACKWARD in befalls:
        without |= {a_released_lock_is_free}
    return tuple(law for law in LAWS if law not in without)


def complaint(world: World, state: State, laws: tuple[Law, ...]) -> str | None:
    """What is wrong with `state`."""
    if state.broken:
        return f"fences strictly rise: {state.broken}"
    for law in laws:
        for words in law(world, state):
            return f"{law.__name__.replace('_', ' ')}: {words}"
    return None


def idle(view: View) -> bool:
    """Its process has come to an end."""
    return not view.threads
