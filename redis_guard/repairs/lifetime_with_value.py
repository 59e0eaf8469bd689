"""SET and the EXPIRE after it become one SET with a lifetime.

Law of this file: EXPIRE takes what SET refuses (zero and less delete the key), so only a lifetime that is a positive
number in plain sight is moved safely.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.afterwards import Afterwards, afterwards, afterwards_of
from redis_guard.repairs.and_chain import chain_of, shorten
from redis_guard.repairs.assumptions import of_moved_lifetime
from redis_guard.repairs.expiry_removal import remove_expiry
from redis_guard.repairs.gathered import gathering_of, take_out
from redis_guard.repairs.lifetimes import Given, as_argument, given_by
from redis_guard.repairs.queued import answers_used, queued
from redis_guard.repairs.rebinding import rebound
from redis_guard.repairs.set_calls import add_lifetime, item_as_set, takes_options, written_item
from redis_guard.repairs.written import Written, find


@dataclass(frozen=True, slots=True)
class LifetimeWithValue:
    """The lifetime that `expiry` gives goes into `write`: SET, GETSET or an item assignment."""

    write: Call
    expiry: Call

    def fix(self, program: Program) -> Fix | None:
        second = find(program, self.expiry)
        given = None if second is None else given_by(second)
        if second is None or given is None or not given.supported(program) or answers_used(second):
            return None
        draft = Draft(program)
        write = find(program, self.write)
        chain = None if write is None else chain_of(write, second)
        if write is not None and chain is not None:
            return self._in_chain(draft, write, second, given)
        together = None if write is None else gathering_of(write, second)
        if write is not None and together is not None:
            return self._gathered(draft, write, second, given, together)
        way = self._write(draft, given, second) if second.alone else None
        if way is None:
            return None
        assumed = of_moved_lifetime(self.write, second, given, way)
        assumed.add("the server has SET with GET (Redis 6.2)", when=self.write.command == "GETSET")
        if not way.branch:
            remove_expiry(draft, second, way, None if write is None else write.whole)
        title = self._title(program, given)
        if way.branch:
            title += "; the EXPIRE stays for the other ways to it"
        return draft.fix(*assumed.verdict(title))

    def _in_chain(self, draft: Draft, write: Written, second: Written, given: Given) -> Fix | None:
        """`r.set(…) and r.expire(…)`: SET answers True, as the EXPIRE of a key that it has just made."""
        plain = self.write.command == "SET" and {name for name, _ in self.write.arguments} <= {
            "name",
            "value",
        }
        if not plain or not takes_options(write) or queued(write) or queued(second):
            return None
        assumed = of_moved_lifetime(self.write, second, given, Afterwards((), "won"))
        shorten(draft, write, second)
        add_lifetime(draft, write, given)
        return draft.fix(*assumed.verdict(self._title(draft.program, given)))

    def _gathered(
        self, draft: Draft, write: Written, second: Written, given: Given, together: ast.Call
    ) -> Fix | None:
        if not takes_options(write) or write.call.command == "SETNX" or queued(write) or queued(second):
            return None
        assumed = of_moved_lifetime(self.write, second, given, Afterwards((), "always"))
        assumed.add("the EXPIRE was meant to come second")
        take_out(draft, together, write, second)
        add_lifetime(draft, write, given)
        return draft.fix(*assumed.verdict(self._title(draft.program, given)))

    @staticmethod
    def _title(program: Program, given: Given) -> str:
        return f"Give the lifetime with the value ({given.option}={program.source(given.time)})"

    def _write(self, draft: Draft, given: Given, second: Written) -> Afterwards | None:
        """Write the lifetime into the first call; None where it has no place there, or the second does not follow."""
        program = draft.program
        write = find(program, self.write)
        if write is None:
            item = written_item(program, self.write)
            way = None if item is None else afterwards_of(program, item, second.statement)
            if item is None or way is None or rebound(given.time, (item, *way.between)):
                return None
            item_as_set(draft, item, f"{given.option}={as_argument(program, given.time)}")
            return way
        if not takes_options(write) or write.call.command == "SETNX":
            return None
        tells = self.write.command == "SET" and self.write.argument("get") is None
        way = afterwards(program, write.whole, second.statement, tells=tells)
        if way is None or rebound(given.time, (*_bindings(write), *way.between)):
            return None
        add_lifetime(draft, write, given)
        return way


def _bindings(write: Written) -> tuple[ast.AST, ...]:
    """What the write's own statement binds."""
    match write.statement:
        case ast.Assign(targets=targets):
            return tuple(targets)
        case ast.AnnAssign(target=target):
            return (target,)
        case ast.If(test=test) | ast.While(test=test):
            return (test,)
    return ()
