"""Who probably owns a group of calls.

Law of this file: a guess says what it is made of, and nothing is guessed from names.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.drafting import Names, draft_owner
from redis_guard.codeowners import OwnersOf

NOBODY = "unowned"
_PREFIX = 2
"""Folders of a path prefix: `app/billing`."""

Ground = Literal["codeowners", "path", "nothing"]


@dataclass(frozen=True, slots=True)
class Guess:
    """An owner, and what the guess rests on."""

    owner: str
    """As CODEOWNERS writes it (`@org/billing`), a folder (`app/billing`), or `unowned`."""
    ground: Ground


def guess_owner(paths: Sequence[str], owners_of: OwnersOf | None) -> Guess:
    """The owner of most of the files; of as many, the one that comes first. `paths` has a file once for each call."""
    if owners_of is not None:
        named = [" ".join(owners) for path in paths if (owners := owners_of(path))]
        if named:
            return Guess(_most(named), "codeowners")
    folders = [folder for path in paths if (folder := path_prefix(path))]
    return Guess(_most(folders), "path") if folders else Guess(NOBODY, "nothing")


class OwnerNames:
    """Names for owners in a registry, one for each that CODEOWNERS writes; no name is made twice."""

    __slots__ = ("_by_handle", "_names")

    def __init__(self) -> None:
        self._names = Names()
        self._names.free(NOBODY)
        self._by_handle: dict[str, str] = {}

    def of(self, guess: Guess) -> tuple[str, str]:
        """The name and how CODEOWNERS writes it, the first of several; a folder is no owner, and makes it `unowned`."""
        if guess.ground != "codeowners":
            return NOBODY, ""
        handle = guess.owner.split()[0]
        if handle not in self._by_handle:
            self._by_handle[handle] = draft_owner(handle, self._names)
        return self._by_handle[handle], handle


def path_prefix(path: str) -> str:
    """The first two folders of a path, below `src`; empty for a file that lies at the top."""
    folders = path.split("/")[:-1]
    return "/".join(folders[: _PREFIX + (folders[:1] == ["src"])])


def _most(texts: Sequence[str]) -> str:
    return Counter(texts).most_common(1)[0][0]
