"""The fixes that the repairs of a project's reports come to.

Law of this file: a file is parsed once, and only when some rule offers a repair in it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from redis_guard.finding import Fix
from redis_guard.fixes.program import Program
from redis_guard.rule import Report


@dataclass(slots=True)
class Mender:
    """Writes fixes for one run."""

    text: Callable[[str], str | None]
    target_server: tuple[int, int]
    """The oldest Redis that fixed code has to run on."""
    _programs: dict[str, Program | None] = field(default_factory=dict)

    def fix(self, report: Report) -> Fix | None:
        """The report's fix; None where it offers no repair, or the text has something in the way."""
        if report.repair is None:
            return None
        program = self._program(report.path)
        return None if program is None else report.repair.fix(program)

    def _program(self, path: str) -> Program | None:
        if path not in self._programs:
            text = self.text(path)
            try:
                self._programs[path] = None if text is None else Program(text, self.target_server)
            except (SyntaxError, ValueError, RecursionError):
                self._programs[path] = None
        return self._programs[path]
