"""The tree a registry file is read into: plain text that knows where it stands.

Law of this file: a node holds what is written, not what YAML would make of it, and nothing executable.
"""

from dataclasses import dataclass

from redis_guard.registry.problems import Place, Problem


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value; `tag` is what YAML 1.1 takes it for (`str`, `int`, `bool`, `null` …), `text` as written."""

    place: Place
    tag: str
    text: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    place: Place
    items: tuple["Node", ...]
    weight: int


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping, with merges (`<<`) already followed."""

    place: Place
    pairs: tuple[tuple[Scalar, "Node"], ...]
    weight: int


Node = Scalar | Items | Table


class UnreadableError(Exception):
    """Reading ends here."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem
