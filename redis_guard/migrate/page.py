"""One file under way: its text, its call sites, what was drafted, and what was said.

Law of this file: a site is done, or refused with one reason, and at the end none is neither.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from redis_guard.finding import Span
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.migrate.atoms import Atom, Reader
from redis_guard.migrate.bindings import bindings, scope_of
from redis_guard.migrate.identifiers import identifiers
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import Refused, Said, Target
from redis_guard.migrate.moving import refuse_to_move
from redis_guard.migrate.sites import FileSites, Site
from redis_guard.repairs.written import Written, find


@dataclass(slots=True)
class Page:
    """What the shapes of a primitive read and write."""

    program: Program
    file: FileSites
    target: Target
    lookup: Lookup
    coordination: str
    """How the object is called in this file."""
    draft: Draft
    done: set[tuple[Span, str]] = field(default_factory=set)
    refused: dict[tuple[Span, str], Said] = field(default_factory=dict)
    notes: list[Said] = field(default_factory=list)
    errors: set[str] = field(default_factory=set)
    """Errors of the runtime that have to be imported."""
    names: dict[ast.AST, set[str]] = field(default_factory=dict)
    """New variables, by function."""

    @property
    def path(self) -> str:
        return self.file.module.path

    # -- sites -----------------------------------------------------------------------------------------------------

    def open(self) -> Iterator[Site]:
        """Sites that nothing was said about yet."""
        for site in self.file.sites:
            if site.id not in self.done and site.id not in self.refused:
                yield site

    def settle(self, *sites: Site) -> None:
        self.done.update(site.id for site in sites)

    def refuse(self, site: Site, reason: str) -> None:
        span = site.call.span
        self.refused.setdefault(site.id, Said(self.path, span.line, span.column, reason))

    def note(self, span: Span, text: str) -> None:
        self.notes.append(Said(self.path, span.line, span.column, text))

    def written(self, site: Site) -> Written:
        """The call in the text. Raises Refused."""
        call = site.call
        found = find(self.program, call)
        if found is None or (not found.method_named and call.method != "__call__"):
            raise Refused(f"it is not written as a call of {call.method}()")
        if call.opaque or found.starred:
            raise Refused("a star argument hides what is passed")
        if len(call.keys) > 1:
            raise Refused("it takes other keys too; give this one a call of its own")
        return found

    # -- text ------------------------------------------------------------------------------------------------------

    def asking(self, site: Site, written: Written, *extra: str, at: ast.AST | None = None) -> str:
        """`coordination.lock("name", identifier)`. `at`: where it will stand, if not where the call stands now."""
        case = self.target.case
        arguments = [f'"{case.name}"']
        for text, fillers in identifiers(case, site.key, self._atoms(site, written)):
            for filler in fillers:
                if filler.moved or at is not None:
                    refuse_to_move(self.program, filler, at or written.node)
            arguments.append(text)
        return f"{self.coordination}.{case.primitive}({', '.join((*arguments, *extra))})"

    def _atoms(self, site: Site, written: Written) -> list[Atom]:
        name = site.parameter
        node = written.argument(name) if name else None
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 1:
            node = node.elts[0]
        if node is None:
            raise Refused("where its key is written cannot be told")
        return Reader(self.program, self.path, self.lookup).atoms(node)

    def awaited(self, site: Site, text: str) -> str:
        """`await` before what is a coroutine of asyncio's runtime."""
        return f"await {text}" if site.asynchronous else text

    def new_name(self, node: ast.AST, *wished: str) -> str:
        """A name that is free in the function around a node; where it can be, the same in each function."""
        scope = scope_of(self.program, node)
        taken = self.names.setdefault(scope, set())
        for name in wished:
            if name not in taken and not self._known(name):
                taken.add(name)
                return name
        number = 2
        while f"{wished[0]}_{number}" in taken or self._known(f"{wished[0]}_{number}"):
            number += 1
        taken.add(f"{wished[0]}_{number}")
        return f"{wished[0]}_{number}"

    def _known(self, name: str) -> bool:
        return name in self.program.names

    def scope(self, node: ast.AST) -> ast.AST:
        return scope_of(self.program, node)

    def single(self, scope: ast.AST, name: str) -> bool:
        """The name is bound once there."""
        assert isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module)
        return len(bindings(scope, name)) == 1
