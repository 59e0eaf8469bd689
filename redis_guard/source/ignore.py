"""Lines in the language of .gitignore, asked about directories and files.

Law of this file: it is asked from the top down. Whoever asks about a path has already asked about
the directories above it, because git never looks into an ignored directory.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_SUFFIXES = (".py", ".pyi")

_ANYWHERE = re.compile(r"^!?/?(?:\*\*/)+")
_ALL_WITHIN = re.compile(r"/\*\*(?=/?$)")


class _Rule(NamedTuple):
    line: str
    regex: re.Pattern[str]
    ignores: bool
    """False for the rules that begin with `!`."""
    names_only: bool
    """Whether it is about a file's own name and no path, as every rule without a slash is."""


_Rules = tuple[_Rule, ...]
"""Last rule first: it decides."""


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules of one ignore file, for paths relative to the directory it lies in."""

    for_directories: _Rules
    for_files: _Rules
    for_python: _Rules
    """Only those that can match a Python file's own name: mostly none, and asking costs."""

    def directory(self, path: str) -> bool | None:
        """True for ignored, False for taken back by `!`, None where no rule speaks of it."""
        return _verdict(self.for_directories, path, "/")

    def python_file(self, path: str) -> bool | None:
        """The same for a `.py` or `.pyi` file."""
        return _verdict(self.for_python, path)

    def hides(self, path: str, *, is_directory: bool = False) -> bool:
        """Whether any file or directory is ignored, by itself or with a directory above it."""
        directories = [path[:end] for end, letter in enumerate(path) if letter == "/"]
        if is_directory:
            directories.append(path)
        elif _verdict(self.for_files, path):
            return True
        return any(map(self.directory, directories))


def ignore_rules(lines: Iterable[str]) -> IgnoreRules | None:
    """Read the lines; None when they hold no rule. What git would not understand counts for nothing."""
    rules = tuple(reversed([rule for line in lines for rule in _compile(line)]))
    if not rules:
        return None
    return IgnoreRules(
        rules,
        tuple(rule for rule in rules if not rule.line.endswith("/")),
        tuple(rule for rule in rules if _can_name_python(rule.line)),
    )


def _compile(line: str) -> Iterator[_Rule]:
    if not line.strip() or line.startswith("#"):
        return
    # The import costs more than everything else here, and many projects never need it.
    from pathspec import GitIgnoreSpec, RegexPattern

    # `a/**` is all that lies in `a`, not `a` itself: said so that no expression can mistake it.
    rule = _ALL_WITHIN.sub("/**/*", line.rstrip() if "\\" not in line else line)
    try:
        patterns = GitIgnoreSpec.from_lines([rule]).patterns
    except ValueError:
        return
    names_only = "/" not in _ANYWHERE.sub("", rule, count=1).rstrip("/")
    for pattern in patterns:
        if isinstance(pattern, RegexPattern) and pattern.regex is not None and pattern.include is not None:
            yield _Rule(rule, pattern.regex, pattern.include, names_only)


def _verdict(rules: _Rules, path: str, ending: str = "") -> bool | None:
    if not rules:
        return None
    path += ending
    name = path[path.rfind("/", 0, len(path) - len(ending)) + 1 :]
    for _, regex, ignores, names_only in rules:
        match = regex.search(name if names_only else path)
        # pathspec's group `ps_d` is the slash after a matched directory. One before the end means
        # that a directory above matched, which was somebody else's question.
        if match and not (match.lastgroup == "ps_d" and match.end("ps_d") < len(match.string)):
            return ignores
    return None


def _can_name_python(rule: str) -> bool:
    """False only where the end of the rule shows that no `.py` file matches it by its own name."""
    if "\\" in rule:
        return True
    if rule.endswith("/"):
        return False
    last = rule.rpartition("/")[2]
    tail = last[max(last.rfind(wild) for wild in "*?]") + 1 :]
    if tail == last:
        return last.endswith(_SUFFIXES)
    return tail.endswith(_SUFFIXES) or any(suffix.endswith(tail) for suffix in _SUFFIXES)
