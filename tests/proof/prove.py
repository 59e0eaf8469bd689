"""The proof of one fix: original and fixed program do the same, for many inputs on many states of the server.

Law of this file: what is drawn is drawn alike in every session; the first difference ends the proof.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.proof.bench import Bench
from tests.proof.claim import ENTRIES, Claim, afterwards, before
from tests.proof.compare import differences
from tests.proof.inputs import evaluate, strategies
from tests.proof.keyspace import Initial, Place
from tests.proof.observe import Inputs, Observation, Prior, observe
from tests.proof.priors import Lot, places, priors
from tests.proof.program import Program

EXAMPLES = 8
"""Sets of inputs; each is tried on some six states of the server."""


class Refused(AssertionError):
    """The fix is not what it is claimed to be; the message shows for what."""


@dataclass(slots=True)
class Proof:
    """What was seen on the way."""

    compared: int = 0
    returned: int = 0
    """Comparisons within the assumption in which neither program raised, or the fixed one did not where the fault is
    that the original does."""
    outside: int = 0
    """Comparisons beyond the assumption in which the two programs differed."""
    faulty: int = 0
    """Runs of the original that did not give what `gives` says."""


@dataclass(frozen=True)
class Pair:
    """A program, the same one fixed, and what is claimed of the two."""

    original: Program
    fixed: Program
    claim: Claim


def prove_same(bench: Bench, pair: Pair, examples: int = EXAMPLES, *, shrink: bool = True) -> Proof:
    """Raises Refused where the two differ, or where a claim's assumption or fault is never seen.

    `shrink`: look for the smallest inputs that show it.
    """
    proof, claim = Proof(), pair.claim

    def compare(inputs: Inputs, prior: Prior, clock: float) -> None:
        original = observe(bench, pair.original, inputs, prior, clock=clock)
        fixed = observe(bench, pair.fixed, inputs, prior, clock=clock)
        found = differences(original, fixed, claim.compared(original, fixed), unordered=claim.unordered)
        within = not claim.assumes or evaluate(claim.assumes, {**inputs, **before(prior)})
        proof.compared += 1
        proof.outside += bool(found and not within)
        ended = (
            {fixed.outcome.how} if "outcome" in claim.differs else {fixed.outcome.how, original.outcome.how}
        )
        proof.returned += bool(within and ended == {"returned"})
        if found and within:
            raise Refused(told(pair, inputs, prior, original, fixed, *found))
        if claim.gives:
            proof.faulty += not _gives(claim, inputs, prior, original)
            if within and not _gives(claim, inputs, prior, fixed):
                raise Refused(told(pair, inputs, prior, original, fixed, f"does not give {claim.gives}"))

    for_each(bench, pair, compare, examples, shrink, tuple(Lot))
    if not proof.returned:
        raise Refused(
            f"{pair.original.name}: one of the two raised every time: nothing was seen of what the fix does"
        )
    if claim.assumes and not proof.outside:
        raise Refused(f"{pair.original.name}: outside of {claim.assumes} nothing differs: is the fix safe?")
    if claim.gives and not proof.faulty:
        raise Refused(f"{pair.original.name}: the original gives {claim.gives} too: where is the fault?")
    return proof


def for_each(
    bench: Bench, pair: Pair, try_on: Any, examples: int, shrink: bool, lots: tuple[Lot, ...]
) -> None:
    """Call `try_on(inputs, prior, clock)` for drawn inputs, each on every kind of prior state in `lots`."""
    drawn = st.fixed_dictionaries(strategies(pair.original, pair.claim.inputs))

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(drawn, st.data())
    def example(inputs: Inputs, data: st.DataObject) -> None:
        clock = time.time()
        for lot in _lots(bench, pair, inputs, clock, lots):
            try_on(inputs, data.draw(lot), clock)

    example()


def _lots(
    bench: Bench, pair: Pair, inputs: Inputs, clock: float, kinds: tuple[Lot, ...]
) -> Iterator[st.SearchStrategy[Prior]]:
    declared = pair.claim.prior
    if not declared:
        seen = observe(bench, pair.original, inputs, clock=clock)
        yield from priors(places(bench, seen), inputs, kinds)
        return
    lots = {_place(key, inputs): _lot(evaluate(lot, {**inputs, **ENTRIES})) for key, lot in declared.items()}
    # As many draws as there are kinds for a key of which nothing is declared.
    for _ in kinds:
        yield st.fixed_dictionaries(lots).map(_there)


def _place(key: str, inputs: Inputs) -> Place:
    return 0, str(evaluate(f"f{key!r}", inputs)).encode()


def _lot(given: st.SearchStrategy[Initial | None] | Initial | None) -> st.SearchStrategy[Initial | None]:
    return given if isinstance(given, st.SearchStrategy) else st.just(given)


def _there(lots: Mapping[Place, Initial | None]) -> Prior:
    return {place: initial for place, initial in lots.items() if initial is not None}


def _gives(claim: Claim, inputs: Inputs, prior: Prior, seen: Observation) -> bool:
    return bool(evaluate(claim.gives, {**inputs, **before(prior), **afterwards(seen)}))


def told(
    pair: Pair, inputs: Inputs, prior: Prior, original: Observation, fixed: Observation, *found: str
) -> str:
    lines = [
        f"{pair.original.name}: the fix is refused",
        *(f"  {one}" for one in found),
        f"  inputs: {dict(inputs)}",
        f"  before: {dict(prior)}",
        f"  original sent: {_spoken(original)}",
        f"  fixed sent:    {_spoken(fixed)}",
    ]
    return "\n".join(lines)


def _spoken(observation: Observation) -> str:
    return "; ".join(b" ".join(command).decode(errors="replace") for command in observation.commands)
