"""A pipeline becomes a MULTI."""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class Transactional:
    """The call that opens the pipeline says `transaction=False`."""

    opening: Call

    def fix(self, program: Program) -> Fix | None:
        if self.opening.method != "pipeline" or self.opening.cluster:
            return None
        call = find(program, self.opening)
        if call is None or not call.method_named or call.starred:
            return None
        given = call.argument("transaction")
        if not isinstance(given, ast.Constant) or given.value is not False:
            return None
        draft = Draft(program)
        draft.rewrite(given, "True")
        return draft.fix("Send it as one MULTI", "safe")
