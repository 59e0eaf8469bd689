"""What a process that looks at one project again and again has in its hands already.

Law of this file: everything here is of some file's content and is asked for by that content; nothing that was inferred
is kept, since any change anywhere may change it.
"""

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field

from redis_guard.facts.marks import Marks
from redis_guard.facts.model import ModuleFacts
from redis_guard.project.tables import Tables


@dataclass(slots=True)
class Kept:
    """Facts and what is read off them, by path; changed by every look."""

    facts: dict[str, tuple[bytes, ModuleFacts]] = field(default_factory=dict)
    """Beside the bytes that they are stored as."""
    tables: dict[str, tuple[ModuleFacts, Tables]] = field(default_factory=dict)
    marks: dict[str, tuple[str, Marks]] = field(default_factory=dict)
    """Beside the file's text."""
    wanted: frozenset[str] = frozenset()
    """The files that the last thorough look had to parse."""
    hasty: bool = False
    """The next look is to be content with these, and asks not who else uses what they export."""

    def known(self, path: str, data: bytes) -> ModuleFacts | None:
        """The facts that these bytes hold, if they were decoded before."""
        found = self.facts.get(path)
        return found[1] if found is not None and found[0] is data else None

    def lend(self, facts: Iterable[ModuleFacts], tables: MutableMapping[str, Tables]) -> None:
        """Put in the tables of the facts that have not changed."""
        for module in facts:
            found = self.tables.get(module.path)
            if found is not None and found[0] is module:
                tables[module.path] = found[1]

    def take(self, facts: Mapping[str, ModuleFacts], tables: Mapping[str, Tables]) -> None:
        """Keep the tables, and nothing of files that are no longer loaded."""
        self.tables = {path: (facts[path], own) for path, own in tables.items() if path in facts}
        self.facts = {path: found for path, found in self.facts.items() if path in facts}
