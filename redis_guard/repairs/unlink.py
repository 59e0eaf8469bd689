"""DEL becomes UNLINK, which frees the memory in the background. Since Redis 4."""

from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class Unlink:
    """`delete(key)`."""

    deletion: Call

    def fix(self, program: Program) -> Fix | None:
        call = find(program, self.deletion)
        if call is None or not call.method_named:
            return None
        draft = Draft(program)
        draft.rename_method(call.node, "unlink")
        return draft.fix("Free the memory in the background", "safe")
