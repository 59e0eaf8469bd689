"""SET and an `if` with an EXPIRE in each arm become one SET whose lifetime is chosen.

Law of this file: the `if` goes as a whole, so its arms may hold nothing else.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.afterwards import Afterwards, afterwards
from redis_guard.repairs.assumptions import of_moved_lifetime
from redis_guard.repairs.lifetimes import Given, given_by
from redis_guard.repairs.queued import queued
from redis_guard.repairs.rebinding import rebound
from redis_guard.repairs.set_calls import add_lifetime, takes_options
from redis_guard.repairs.written import Written, find


@dataclass(frozen=True, slots=True)
class LifetimeOfArms:
    """The lifetimes that two EXPIREs give go into `write`, a SET or a GETSET, as `60 if short else 3600`."""

    write: Call
    expiries: tuple[Call, ...]

    def fix(self, program: Program) -> Fix | None:
        write = find(program, self.write)
        calls = [call for each in self.expiries if (call := find(program, each)) is not None]
        if write is None or len(calls) != 2 or not takes_options(write) or self.write.command == "SETNX":
            return None
        choice = _choice(calls)
        given = [one for each in calls if (one := given_by(each)) is not None]
        if choice is None or len(given) != 2 or given[0].unit != given[1].unit or any(map(queued, calls)):
            return None
        way = afterwards(program, write.whole, choice, tells=False)
        if way is None or way.branch or not given[0].supported(program):
            return None
        chosen = Given(_chosen(choice, given), given[0].unit, all(each.plain for each in given))
        if rebound(chosen.time, (write.statement, *way.between)):
            return None
        return self._fix(program, write, calls, choice, chosen, way)

    def _fix(
        self,
        program: Program,
        write: Written,
        calls: list[Written],
        choice: ast.If,
        chosen: Given,
        way: Afterwards,
    ) -> Fix | None:
        draft = Draft(program)
        text = _text(program, chosen.time)
        add_lifetime(draft, write, chosen, text)
        draft.remove_statement(choice)
        assumed = of_moved_lifetime(self.write, calls[0], chosen, way)
        assumed.add(
            "what its test calls may come before the SET",
            when=any(isinstance(node, ast.Call | ast.Await) for node in ast.walk(choice.test)),
        )
        assumed.add("the server has SET with GET (Redis 6.2)", when=self.write.command == "GETSET")
        return draft.fix(*assumed.verdict(f"Give the lifetime with the value ({chosen.option}={text})"))


def _choice(calls: list[Written]) -> ast.If | None:
    """The `if` whose two arms are these calls and nothing else."""
    above = calls[0].program.parent(calls[0].statement)
    if not isinstance(above, ast.If) or not all(call.alone for call in calls):
        return None
    if calls[0].program.source(above).startswith("elif"):
        return None
    return above if [above.body, above.orelse] == [[call.statement] for call in calls] else None


def _chosen(choice: ast.If, given: list[Given]) -> ast.expr:
    return ast.IfExp(choice.test, given[0].time, given[1].time)


def _text(program: Program, chosen: ast.expr) -> str:
    assert isinstance(chosen, ast.IfExp)
    parts = (chosen.body, chosen.test, chosen.orelse)
    one, test, other = (_grouped(program, part) for part in parts)
    return f"{one} if {test} else {other}"


def _grouped(program: Program, part: ast.expr) -> str:
    text = program.source(part)
    loose = isinstance(part, ast.IfExp | ast.NamedExpr | ast.Lambda) or "\n" in text or "\r" in text
    return f"({text})" if loose else text
