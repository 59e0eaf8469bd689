"""SETNX and the EXPIRE after it become one SET with NX and a lifetime.

Law of this file: SETNX answers True or False, SET NX True or None; where somebody sees more of the answer than its
truth, it is made a bool again.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.afterwards import Afterwards, afterwards
from redis_guard.repairs.and_chain import chain_of, shorten
from redis_guard.repairs.assumptions import of_moved_lifetime
from redis_guard.repairs.expiry_removal import remove_expiry
from redis_guard.repairs.lifetimes import Given, given_by
from redis_guard.repairs.queued import queued
from redis_guard.repairs.rebinding import rebound
from redis_guard.repairs.set_calls import add_lifetime, takes_options
from redis_guard.repairs.truth import only_tested
from redis_guard.repairs.written import Written, find


@dataclass(frozen=True, slots=True)
class ClaimWithLifetime:
    """The lifetime that `expiry` gives goes into `claim`: SETNX, or SET with `nx`."""

    claim: Call
    expiry: Call

    def fix(self, program: Program) -> Fix | None:
        claim, expiry = find(program, self.claim), find(program, self.expiry)
        if claim is None or expiry is None or not takes_options(claim) or queued(claim) or queued(expiry):
            return None
        given = given_by(expiry)
        if given is None or not given.supported(program) or self.claim.argument("get") is not None:
            return None
        draft = Draft(program)
        chain = chain_of(claim, expiry)
        if chain is not None:
            shorten(draft, claim, expiry)
            return self._fix(draft, claim, expiry, given, Afterwards((), "won"), chain)
        if not expiry.alone:
            return None
        way = afterwards(program, claim.whole, expiry.statement, tells=True, none=self.claim.command == "SET")
        if way is None or rebound(given.time, (claim.statement, *way.between)):
            return None
        if not way.branch:
            remove_expiry(draft, expiry, way, claim.whole)
        return self._fix(draft, claim, expiry, given, way, claim.whole)

    def _fix(
        self, draft: Draft, claim: Written, expiry: Written, given: Given, way: Afterwards, seen: ast.expr
    ) -> Fix | None:
        """`seen` is the expression whose value shows what the claim answered."""
        program = draft.program
        assumed = of_moved_lifetime(self.claim, expiry, given, way)
        assumed.add(
            "a claim that fails need not renew the lifetime", when=way.reached == "always" and not way.branch
        )
        if claim.call.command == "SETNX" and not only_tested(program, seen):
            draft.insert(program.start(claim.whole), "bool(")
            draft.insert(program.end(claim.whole), ")")
            assumed.add("the answer may be made a bool")
        add_lifetime(draft, claim, given)
        title = f"Claim and give the lifetime in one step ({given.option}={program.source(given.time)})"
        return draft.fix(*assumed.verdict(title))
