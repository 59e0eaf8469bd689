"""What the formats need of a rule."""

from collections.abc import Sequence
from typing import Literal, Protocol

from redis_guard.finding import Severity


class ExampleLike(Protocol):
    """Code that a rule finds, and what to write instead."""

    @property
    def bad(self) -> str: ...
    @property
    def good(self) -> str: ...
    @property
    def language(self) -> str: ...


class RuleLike(Protocol):
    """A rule as people are told of it."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def since(self) -> str: ...
    @property
    def default(self) -> bool: ...
    @property
    def summary(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def examples(self) -> Sequence[ExampleLike]: ...
    @property
    def fix(self) -> Literal["safe", "unsafe", "both", "none"]: ...
