"""SETEX with its value and its time swapped becomes SET with the lifetime by name.

Law of this file: which of the two is the time is a reading of names and types; only text beside a number leaves no
doubt.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.lifetimes import figure
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class SwappedSetex:
    """`setex(name, value, 60)` becomes `set(name, value, ex=60)`."""

    call: Call
    parameter: str
    """The time's parameter, which is given the value."""
    option: str

    def fix(self, program: Program) -> Fix | None:
        call = find(program, self.call)
        if call is None or not call.method_named or call.starred:
            return None
        value, time = call.argument(self.parameter), call.argument("value")
        if value is None or time is None:
            return None
        draft = Draft(program)
        draft.rename_method(call.node, "set")
        positional = True
        for keyword in call.node.keywords:
            if keyword.value is value or keyword.value is time:
                start = program.start(keyword)
                name = "value" if keyword.value is value else self.option
                draft.replace(start, start + len(keyword.arg or ""), name)
                positional = positional and keyword.value is not time
        if positional:
            draft.rewrite(time, f"{self.option}={program.source(time)}")
        title = f"Write {self.option}={program.source(time)}"
        number = figure(time)
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and number is not None:
            certain = number > 0 and not value.value.strip().isdecimal()
            if certain:
                return draft.fix(title, "safe")
        said = f"{program.source(time)} is the lifetime and {program.source(value)} the value"
        return draft.fix(f"{title}; assumes that {said}", "unsafe")
