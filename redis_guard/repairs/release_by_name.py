"""A lock that could not be released is left to its end, and not deleted by its name.

Law of this file: only in the handler that hears that the lock is somebody else's.
"""

from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.plainly import plain
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class ReleaseByName:
    """`deletion` deletes `lock.name` because `lock.release()` raised LockError."""

    deletion: Call

    def fix(self, program: Program) -> Fix | None:
        found = find(program, self.deletion)
        if found is None or not found.alone or len(self.deletion.keys) != 1 or not plain(found):
            return None
        draft = Draft(program)
        draft.remove_statement(found.statement)
        return draft.fix("Leave the lock of somebody else alone; your own ends with its lease", "unsafe")
