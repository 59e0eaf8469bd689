"""Lines in the language of .gitignore, asked about directories and Python files.

Law of this file: it is asked from the top down. Whoever asks about a file has already asked about
its directories, because git never looks into an ignored directory.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules of one ignore file, for paths relative to the directory it lies in."""

    every: "GitIgnoreSpec"
    python: "GitIgnoreSpec | None"
    """Only the rules that can match a Python file's own name: mostly none, and asking costs."""

    def directory(self, path: str) -> bool | None:
        """True for ignored, False for taken back by `!`, None where no rule speaks of it."""
        return self.every.check_file(f"{path}/").include

    def python_file(self, path: str) -> bool | None:
        """The same for a `.py` or `.pyi` file in a directory that is not ignored."""
        return None if self.python is None else self.python.check_file(path).include

    def any_file(self, path: str) -> bool:
        """Whether a file is ignored, by its own name or by one of its directories."""
        return bool(self.every.check_file(path).include)


def ignore_rules(lines: Iterable[str]) -> IgnoreRules | None:
    """Read the lines; None when they hold no rule. What git would not understand counts for nothing."""
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    if not kept:
        return None
    # The import costs more than everything else here, and many projects never need it.
    from pathspec import GitIgnoreSpec

    try:
        every = GitIgnoreSpec.from_lines(kept)
    except ValueError:
        kept = [line for line in kept if _understood(line)]
        every = GitIgnoreSpec.from_lines(kept)
    python = [line for line in kept if _can_name_python(line)]
    return IgnoreRules(every, GitIgnoreSpec.from_lines(python) if python else None)


def _understood(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _can_name_python(line: str) -> bool:
    """False only where the end of the rule shows that no `.py` file matches it by its own name."""
    rule = line.rstrip()
    if "\\" in rule:
        return True
    if rule.endswith("/"):
        return False
    last = rule.rpartition("/")[2]
    tail = last[max(last.rfind(wild) for wild in "*?]") + 1 :]
    if tail == last:
        return last.endswith(_SUFFIXES)
    return tail.endswith(_SUFFIXES) or any(suffix.endswith(tail) for suffix in _SUFFIXES)
