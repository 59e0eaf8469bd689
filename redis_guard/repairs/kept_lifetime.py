"""A write that takes a key's lifetime away leaves it in place.

Law of this file: KEEPTTL keeps what is there; whether anything is there, no text can show.
"""

from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.set_calls import add_options, item_as_set, takes_options, written_item
from redis_guard.repairs.written import find

_ASSUMED = "; assumes that every key written here has a lifetime"


@dataclass(frozen=True, slots=True)
class KeptLifetime:
    """`write`, a SET, a GETSET or an item assignment, is given `keepttl`."""

    write: Call

    def fix(self, program: Program) -> Fix | None:
        if program.target_server < (6, 0):
            return None  # KEEPTTL came with Redis 6.0
        draft = Draft(program)
        write, item = find(program, self.write), written_item(program, self.write)
        if item is not None:
            item_as_set(draft, item, "keepttl=True")
        elif write is None or not takes_options(write) or self.write.command == "SETNX":
            return None
        elif write.method_named:
            add_options(draft, write, "keepttl=True")
        else:
            draft.add_argument(write.node, '"KEEPTTL"')
        return draft.fix(f"Keep the lifetime (keepttl=True){_ASSUMED}", "unsafe")
