"""The second pass of a proof: the program is ended after every command in turn.

Law of this file: the fixed program leaves nothing behind that the fault of the original is about; the original does,
or there was no fault to fix.
"""

from collections.abc import Iterator

from tests.proof.bench import Bench
from tests.proof.compare import same_lifetime
from tests.proof.death import Death, Manner
from tests.proof.observe import Inputs, Observation, Prior, observe
from tests.proof.priors import FITTING
from tests.proof.program import Program
from tests.proof.prove import Pair, Refused, for_each, told

EXAMPLES = 2


def prove_crash(bench: Bench, pair: Pair, examples: int = EXAMPLES, *, shrink: bool = True) -> int:
    """How often a crash of the original left something behind; raises Refused if one of the fixed program does.

    Where the claim is `harmful`, it is refused as well if no crash of the original does harm.
    """
    harm = 0

    def crash(inputs: Inputs, prior: Prior, clock: float) -> None:
        nonlocal harm
        whole = observe(bench, pair.fixed, inputs, prior, clock=clock)
        for death, seen in _crashes(bench, pair.fixed, inputs, prior, clock):
            if found := _left_behind(pair, whole, seen):
                raise Refused(told(pair, inputs, prior, whole, seen, *(f"{death}: {one}" for one in found)))
        if not harm:
            whole = observe(bench, pair.original, inputs, prior, clock=clock)
            deaths = _crashes(bench, pair.original, inputs, prior, clock, manners=(Manner.KILLED,))
            harm += sum(bool(_left_behind(pair, whole, seen)) for _, seen in deaths)

    for_each(bench, pair, crash, examples, shrink, FITTING)
    if pair.claim.harmful and not harm:
        raise Refused(f"{pair.original.name}: no crash of the original does harm: where is the fault?")
    return harm


def _crashes(
    bench: Bench,
    program: Program,
    inputs: Inputs,
    prior: Prior,
    clock: float,
    manners: tuple[Manner, ...] = tuple(Manner),
) -> Iterator[tuple[Death, Observation]]:
    """Every way to end the program, until it has no more commands to end it at."""
    for manner in manners:
        # A killed program that sent nothing more is the same whether or not it had read the last reply.
        for unsent in (False, True) if manner is Manner.INTERRUPTED else (False,):
            at = 1
            while True:
                death = Death(manner, at, unsent)
                seen = observe(bench, program, inputs, prior, death=death, clock=clock)
                if not seen.struck:
                    break
                yield death, seen
                at += 1


def _left_behind(pair: Pair, whole: Observation, crashed: Observation) -> list[str]:
    """What a crash did to keys: `whole` is the same run to its end."""
    found = []
    for place in sorted(crashed.before.keys() | crashed.after.keys()):
        before, after = crashed.before.get(place), crashed.after.get(place)
        if after == before:
            continue
        finished = place in whole.after and after is not None and after.content == whole.after[place].content
        name = repr(place[1])
        if after is not None and after.deadline is None and pair.claim.lasting:
            if not (finished and whole.after[place].deadline is None):
                found.append(f"key {name} stays for ever")
                continue
        if pair.claim.atomic:
            done = (after is None and place not in whole.after) or (
                finished and same_lifetime(whole, crashed, place)
            )
            if not done:
                found.append(f"key {name} is neither as it was nor as it was to be")
    return found
