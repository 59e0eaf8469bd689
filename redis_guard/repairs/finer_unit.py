"""A lifetime below a second is given in milliseconds.

Law of this file: the text shows how long it is; whether so short a time was meant, it does not.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call, Lifetime
from redis_guard.repairs.unit_taken import take_in
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class FinerUnit:
    """`ex=timedelta(milliseconds=500)` becomes `px=…`, `ex=0.5` becomes `px=500`."""

    call: Call
    lifetime: Lifetime

    def fix(self, program: Program) -> Fix | None:
        call = find(program, self.call)
        time = None if call is None else call.argument(self.lifetime.parameter)
        if call is None or time is None or self.call.opaque or self.lifetime.unit != "s":
            return None
        text = None
        if self.lifetime.argument.milliseconds is None:
            if not isinstance(time, ast.Constant) or not isinstance(time.value, float):
                return None
            milliseconds = time.value * 1000
            if not milliseconds.is_integer():
                return None
            text = f"{int(milliseconds)}"
        draft = Draft(program)
        taken = take_in(draft, call, self.lifetime, "ms", text)
        if taken is None:
            return None
        title = f"Use {taken}; assumes that {program.source(time)} is meant in full"
        return draft.fix(title, "unsafe")
