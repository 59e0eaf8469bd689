"""flake8's own comments, read as flake8 7 reads them.

Law of this file: the command line is silent about one of our codes exactly where flake8 is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from redis_guard.finding import Comment

_INLINE = re.compile(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_FILE = re.compile(r"# flake8[:=]\s*noqa", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Noqa:
    """One `# noqa`; without codes it silences everything on its lines."""

    comment: Comment
    start: int
    end: int
    codes: tuple[str, ...]

    def silences(self, code: str, line: int) -> bool:
        """Codes count with their case, and as beginnings of codes, as in flake8."""
        on_line = self.comment.first_line <= line <= self.comment.line
        return on_line and (not self.codes or code.startswith(self.codes))

    @property
    def ours(self) -> tuple[str, ...]:
        """The codes among its codes that are redis-guard's."""
        return tuple(code for code in self.codes if code.startswith("RG"))


def parse(comments: Iterable[Comment]) -> Iterator[Noqa]:
    """The noqa of each comment that has one; of several in one comment flake8 sees the first."""
    for comment in comments:
        if match := _INLINE.search(comment.text):
            codes = tuple(re.split(r"[,\s]+", match["codes"].strip(", \t"))) if match["codes"] else ()
            yield Noqa(comment, match.start(), match.end(), codes)


def skips_file(comments: Iterable[Comment]) -> bool:
    """Whether a line of its own says `# flake8: noqa`, which silences the file."""
    return any(comment.own_line and _FILE.match(comment.text) for comment in comments)
