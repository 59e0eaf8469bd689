"""EXPIRE sets a lifetime only where there is none, so that a window ends."""

from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.written import find

_SINCE = (7, 0)


@dataclass(frozen=True, slots=True)
class OnlyOnce:
    """`expire(key, seconds)` on every hit."""

    expiry: Call

    def fix(self, program: Program) -> Fix | None:
        call = find(program, self.expiry)
        if call is None or not call.method_named or call.starred or program.target_server < _SINCE:
            return None
        if {name for name, _ in self.expiry.arguments} & {"nx", "xx", "gt", "lt"}:
            return None
        draft = Draft(program)
        draft.add_argument(call.node, "nx=True")
        return draft.fix("Start the window once; it ends now, however many hits there are", "unsafe")
