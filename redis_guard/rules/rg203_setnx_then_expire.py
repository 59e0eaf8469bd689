"""A key is claimed with SETNX, and its lifetime follows in a second round trip.

What: SETNX, MSETNX, or SET with `nx` and no expiry, then EXPIRE or one of its kin, outside one MULTI or
script.
Why it hurts: if the process dies between the two, the claim or lock is held for ever, by nobody.
Instead: `set(key, value, nx=True, ex=30)`, which answers True or None; or a lock or claim use case of the
registry.
Fix: the lifetime moves into the claim, and SETNX becomes SET with `nx`: safe where the lifetime is written in figures,
the EXPIRE follows a claim that succeeded, and of the answer only the truth is asked; else unsafe.
"""

from collections.abc import Iterator

from redis_guard.behaviour.pairs import Pair, late_expiries, nature, overwritten
from redis_guard.behaviour.telling import named, others, second_step
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.claim_with_lifetime import ClaimWithLifetime
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pair in late_expiries(module):
        if nature(pair.first) == "setnx":
            message = (
                f"{named(pair.key, registry)} is claimed here, and {second_step(pair)}: if it never comes, the "
                "claim is held for ever. Use one `set(…, nx=True, ex=…)`, or a registered lock or claim"
            )
            yield at(pair.first, message, *others(pair), repair=_repair(module, pair))


def _repair(module: ModuleUses, pair: Pair) -> ClaimWithLifetime | None:
    if len(pair.seconds) != 1 or overwritten(module, pair):
        return None
    return ClaimWithLifetime(pair.first, pair.seconds[0])


RULE = Rule(
    code="RG203",
    name="setnx-then-expire",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='if r.setnx("import:lock", "me"):\n    r.expire("import:lock", 30)\n    run_import()',
            good='if r.set("import:lock", "me", nx=True, ex=30):\n    run_import()',
        ),
    ),
)
