"""The project's paths as they are called elsewhere: from the top of the repository, and from the working directory.

Law of this file: it compares names; the file system is not asked.
"""

from dataclasses import dataclass
from posixpath import join, relpath


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute folders, with `/`."""

    project: str = "/"
    repository: str = "/"
    """The nearest folder with a `.git` at or above the project; the project where there is none."""
    working: str = "/"
    """Where the command was given."""

    def in_repository(self, path: str) -> str:
        """A finding's path from the top of the repository; a path outside it stays absolute."""
        inside = self.project == self.repository or path.startswith("/")
        return path if inside else f"{relpath(self.project, self.repository)}/{path}"

    def in_working(self, path: str) -> str:
        """A finding's path from the working directory, by way of `..` where it has to be."""
        inside = self.project == self.working or not path
        return path if inside else relpath(join(self.project, path), self.working)
