"""An EXPIRE that comes too early goes into the SET after it, or behind a write in the same MULTI.

Law of this file: whoever wrote the EXPIRE first may have meant the key as it was before; so nothing here is safe.
"""

from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.afterwards import afterwards_of
from redis_guard.repairs.assumptions import Assumptions
from redis_guard.repairs.lifetimes import as_argument, given_by
from redis_guard.repairs.queued import answers_used, queued
from redis_guard.repairs.rebinding import rebound
from redis_guard.repairs.set_calls import add_lifetime, item_as_set, takes_options, written_item
from redis_guard.repairs.written import Written, find, neighbours


@dataclass(frozen=True, slots=True)
class LifetimeIntoLaterWrite:
    """The lifetime that `expiry` gives goes into `write`, which comes after it."""

    expiry: Call
    write: Call

    def fix(self, program: Program) -> Fix | None:
        expiry = find(program, self.expiry)
        if expiry is None or not expiry.alone or answers_used(expiry):
            return None
        write, given = find(program, self.write), given_by(expiry)
        if given is None:
            return None
        if write is not None and not takes_options(write):
            return self._behind(expiry, write)
        if not given.supported(program):
            return None
        if write is not None and write.call.command == "SETNX":
            return None  # where the key is there already, the EXPIRE is not in vain
        item = written_item(program, self.write)
        statement = item if write is None else write.statement
        way = None if statement is None else afterwards_of(program, expiry.statement, statement, stays=True)
        if statement is None or way is None or rebound(given.time, way.between):
            return None
        draft = Draft(program)
        draft.remove_statement(expiry.statement)
        option = f"{given.option}={as_argument(program, given.time)}"
        if write is not None:
            add_lifetime(draft, write, given)
        elif item is not None:
            item_as_set(draft, item, option)
        assumed = Assumptions()
        assumed.add("the EXPIRE was meant for the value that is written after it")
        assumed.add("the lifetime is positive, since SET refuses any other", when=not given.plain)
        assumed.add("nobody counts the answers of the pipeline", when=queued(expiry))
        return draft.fix(*assumed.verdict(f"Give the lifetime with the value ({option})"))

    def _behind(self, expiry: Written, write: Written) -> Fix | None:
        """In one MULTI, the two change places."""
        program = expiry.program
        one = self.expiry.client == self.write.client and self.expiry.transaction is True
        first, second = expiry.statement, write.statement
        if not one or not write.alone or not neighbours(program, first, second):
            return None
        if not queued(expiry) or not queued(write) or answers_used(expiry) is not False:
            return None
        draft = Draft(program)
        draft.rewrite(first, program.source(second))
        draft.rewrite(second, program.source(first))
        return draft.fix(
            "Expire after the write; assumes that the EXPIRE was meant for what is written after it", "unsafe"
        )
