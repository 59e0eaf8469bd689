"""EXPIRE with a lifetime that deletes becomes the deletion that it is.

Law of this file: EXPIRE answers True or False where DEL counts; an answer that is put to use is compared as it was.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call, Lifetime
from redis_guard.repairs.assumptions import Assumptions
from redis_guard.repairs.lifetimes import figure
from redis_guard.repairs.queued import queued
from redis_guard.repairs.truth import only_tested
from redis_guard.repairs.written import find


@dataclass(frozen=True, slots=True)
class DeletionInWords:
    """`expire(key, 0)` becomes `delete(key)`, `hexpire(key, 0, field)` becomes `hdel(key, field)`."""

    call: Call
    lifetime: Lifetime

    def fix(self, program: Program) -> Fix | None:
        call = find(program, self.call)
        if call is None or not call.method_named or call.starred or self.call.opaque:
            return None
        field = self.lifetime.of_field
        allowed = {"name", self.lifetime.parameter}
        conditions = {name for name, _ in self.call.arguments if not name.startswith("fields.")} - allowed
        time = call.argument(self.lifetime.parameter)
        if time is None or conditions or self._has_effects(time):
            return None
        if field and (not call.alone or any(keyword.value is time for keyword in call.node.keywords)):
            return None
        method = "hdel" if field else "delete"
        draft, assumed = Draft(program), Assumptions()
        draft.rename_method(call.node, method)
        given = next((keyword for keyword in call.node.keywords if keyword.value is time), time)
        draft.remove_argument(call.node, given)
        for keyword in call.node.keywords:
            if keyword.arg == "name" and not field:  # delete() takes any number of keys, by their places
                draft.replace(program.start(keyword), program.start(keyword.value), "")
        if not call.alone and not only_tested(program, call.whole):
            draft.insert(program.start(call.whole), "bool(")
            draft.insert(program.end(call.whole), ")")
            assumed.add("the answer may be made a bool")
        number = figure(time)
        assumed.add(
            f"{program.source(time)} is zero or less to delete the key",
            when=(number is None or number > 0) and not isinstance(time, ast.Call),
        )
        assumed.add("nobody compares the answers of the pipeline", when=queued(call))
        return draft.fix(*assumed.verdict(f"Delete it in words: {method}()"))

    @staticmethod
    def _has_effects(time: ast.expr) -> bool:
        return any(
            isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr) for node in ast.walk(time)
        )
