"""`locked()` goes, and `acquire(blocking=False)` decides.

Law of this file: an `acquire()` that was told how long to wait is left alone.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.fixes.reading import edited
from redis_guard.project.model import Call
from redis_guard.repairs.asking import asking
from redis_guard.repairs.deciding import Step, decide
from redis_guard.repairs.plainly import plain
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class AcquireDecides:
    """`look` is a lock's `locked()`, `taking` the `acquire()` that depends on it."""

    look: Call
    taking: Call

    def fix(self, program: Program) -> Fix | None:
        look, taking = find(program, self.look), find(program, self.taking)
        if look is None or taking is None or not plain(look) or not plain(taking) or look.node.args:
            return None
        if self.look.client != self.taking.client or not taking.alone:
            return None
        waits = taking.argument("blocking")
        if taking.node.args or len(taking.node.keywords) > (waits is not None):
            return None
        if waits is not None and not isinstance(waits, ast.Constant):
            return None

        def at_once(draft: Draft) -> None:
            if waits is None:
                draft.add_argument(taking.node, "blocking=False")
            else:
                draft.rewrite(waits, "False")

        text = edited(program, taking.whole, at_once)
        draft = Draft(program)
        asked, is_free = asking(program, look.whole, False)
        if not decide(draft, asked, is_free, Step(taking.statement, text, "{}", False)):
            return None
        return draft.fix("Let acquire(blocking=False) decide; it waits for nobody", "unsafe")
