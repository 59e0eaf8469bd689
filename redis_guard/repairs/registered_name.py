"""A misspelt name of a use case becomes the registered one that it resembles."""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import SaidName


@dataclass(frozen=True, slots=True)
class RegisteredName:
    """`said` is written out in its call; `name` is the registered one."""

    said: SaidName
    name: str

    def fix(self, program: Program) -> Fix | None:
        call = program.call(self.said.span)
        if call is None:
            return None
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        literals = [node for node in given if isinstance(node, ast.Constant) and node.value == self.said.text]
        if len(literals) != 1:
            return None
        written = program.source(literals[0])
        if written.count(self.said.text) != 1:
            return None
        draft = Draft(program)
        draft.rewrite(literals[0], written.replace(self.said.text, self.name))
        return draft.fix(f'Write "{self.name}"; it has to be the one that is meant', "unsafe")
