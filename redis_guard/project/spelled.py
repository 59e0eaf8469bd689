"""Which texts an expression may be, and which call says each: how the name of a use case comes to a runtime call.

Law of this file: a text is what somebody wrote. What is decided while the program runs says so (`dynamic`), and
what lies outside the project is not guilt (`unseen`).
"""

import sys
from collections.abc import Iterable
from itertools import islice, product
from typing import NamedTuple, Protocol

from redis_guard.facts.model import Expr, Place4
from redis_guard.project.values import ScopeRef

_DEPTH = 24
_WIDTH = 64
"""More texts than this are not told apart."""


class Said(NamedTuple):
    """The call that says a name: the runtime's own, or that of a helper which is handed the name."""

    path: str
    scope: int
    span: Place4


class Text(NamedTuple):
    text: str
    said: Said


class Spelling(NamedTuple):
    """All that is known of a text."""

    texts: tuple[Text, ...] = ()
    dynamic: str = ""
    """What decides it at run time, as written; empty where nothing does."""
    unseen: bool = False
    """It may come from outside the project."""


NOTHING = Spelling()
UNSEEN = Spelling(unseen=True)


class Here(NamedTuple):
    """Where an expression is looked at, on behalf of which call, and which definitions are being read already."""

    path: str
    scope: int
    said: Said
    open: frozenset[tuple[str, int, int]] = frozenset()
    depth: int = 0

    @property
    def too_deep(self) -> bool:
        return self.depth > _DEPTH

    def at(self, path: str, scope: int, said: Said | None = None) -> "Here":
        return Here(path, scope, said or self.said, self.open, self.depth + 1)

    def opening(self, path: str, scope: int, definition: int) -> "Here":
        return self._replace(open=self.open | {(path, scope, definition)}, depth=self.depth + 1)

    @property
    def ref(self) -> ScopeRef:
        return ScopeRef(self.path, self.scope)


class Speller(Protocol):
    """What is asked of expressions by those who know about parameters and tables."""

    takers: set[ScopeRef]

    def of(self, here: Here, expr: Expr) -> Spelling: ...
    def inner(self, here: Here, expr: Expr) -> Spelling: ...
    def item(self, here: Here, expr: Expr, index: Expr) -> Spelling: ...
    def member(self, here: Here, path: str, name: str) -> Spelling: ...
    def definition(self, here: Here, path: str, scope: int, number: int) -> Spelling: ...
    def elements(self, here: Here, expr: Expr) -> Spelling: ...
    def of_enum(self, here: Here, ref: ScopeRef) -> Spelling: ...
    def unknown(self, here: Here, expr: Expr, *, constant: bool = False) -> Spelling: ...
    def definitions(self, here: Here, path: str, scope: int, numbers: tuple[int, ...]) -> Spelling: ...


def is_standard(name: str) -> bool:
    """Nothing in the standard library is the name of a use case."""
    return name.partition(".")[0] in sys.stdlib_module_names


def dynamic(written: str) -> Spelling:
    return Spelling(dynamic=written)


def together(parts: Iterable[Spelling]) -> Spelling:
    """Any of them."""
    found: dict[Text, None] = {}
    decided, unseen = "", False
    for part in parts:
        found.update(dict.fromkeys(part.texts))
        decided, unseen = decided or part.dynamic, unseen or part.unseen
    return Spelling(tuple(islice(found, _WIDTH)), decided, unseen or len(found) > _WIDTH)


def one_after_the_other(parts: list[Spelling], written: str) -> Spelling:
    """Texts put together, where all parts are known."""
    if any(part.dynamic or (not part.texts and not part.unseen) for part in parts):
        return dynamic(written)
    if any(part.unseen for part in parts):
        return UNSEEN
    rows = islice(product(*(part.texts for part in parts)), _WIDTH)
    return together([Spelling(tuple(Text("".join(p.text for p in row), row[-1].said) for row in rows))])
