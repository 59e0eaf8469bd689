"""Noticing that something of a project has changed.

Law of this file: the file system is asked, not listened to. That works on every system, on shared folders and in
containers, needs no library, and never costs more than a tenth of one processor.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from redis_guard.check import configured, starting_point
from redis_guard.config import DEFAULT_REGISTRY, Config, config_places
from redis_guard.mistake import Mistake
from redis_guard.options import Options
from redis_guard.source.discover import discover
from redis_guard.source.stamps import Stamp, folders, stamps, unlike
from redis_guard.source.tree import Tree

_TICK = 0.1
"""Seconds between two looks at what is known …"""
_STROLL = 2.0
"""… and between two for what is not: files in folders that had none, other files behind a pattern."""
_SHARE = 10
"""Times as long as a look takes the eyes rest after it."""
_QUIET = 0.05
"""Seconds without a change after which whoever writes many files is thought to be done …"""
_PATIENCE = 2.0
"""… and the longest that he is waited for."""


@dataclass(slots=True)
class Eyes:
    """What was last seen, and when to look again."""

    options: Options
    pause: float = _TICK
    """Seconds until the next look is due."""
    _tree: Tree | None = None
    _named: dict[str, Stamp] = field(default_factory=dict)
    """Configuration, registry and baseline, or where they would be."""
    _folders: dict[str, Stamp] = field(default_factory=dict)
    _found: frozenset[str] | None = None
    """What the last stroll met."""
    _next_stroll: float = 0.0

    def blink(self, config: Config | None) -> bool:
        """Whether a named file has changed. What changes from here on is noticed later."""
        before, self._named = self._named, stamps(self._names(config))
        self._folders = stamps(self._folders)
        return before != self._named

    def rest_on(self, config: Config | None, tree: Tree | None) -> None:
        """Watch these files, as they were when the tree was made and when the eyes last blinked."""
        self._named = _remembering(self._named, self._names(config))
        if tree is not None:
            self._tree, self._found = tree, None
            self._folders = _remembering(self._folders, folders(tree))
        self._next_stroll = time.monotonic() + _STROLL

    def notice(self, config: Config | None) -> bool:
        """Whether anything may have changed since."""
        began = time.monotonic()
        noticed = self._changed() or (began >= self._next_stroll and self._stroll(config))
        took = time.monotonic() - began
        self.pause = max(_TICK, took * _SHARE)
        return noticed

    def await_quiet(self) -> None:
        """Wait until nobody writes any more."""
        patience = time.monotonic() + _PATIENCE
        seen = self._picture()
        while time.monotonic() < patience:
            time.sleep(_QUIET)
            now = self._picture()
            if now == seen and not self._emptied(now):
                return
            seen = now

    def _emptied(self, now: Mapping[str, Stamp]) -> bool:
        """Whether a named file has lost all it held: who writes one in place empties it first."""
        return any(
            stamp is not None
            and stamp.size == 0
            and ((before := self._named[path]) is None or before.size > 0)
            for path, stamp in now.items()
            if path in self._named
        )

    def _changed(self) -> bool:
        return (
            stamps(self._named) != self._named
            or stamps(self._folders) != self._folders
            or (self._tree is not None and bool(unlike(self._tree)))
        )

    def _picture(self) -> dict[str, Stamp]:
        files = () if self._tree is None else map(self._tree.full, self._tree.files)
        return stamps([*self._named, *self._folders, *files])

    def _stroll(self, config: Config | None) -> bool:
        began = time.monotonic()
        try:
            now = configured(self.options)
            differs = now != config
            if not differs and self._tree is not None:
                found = frozenset(discover(now.root, exclude=now.exclude).files)
                # the tree may hold files besides that somebody named
                differs = found != (found & self._tree.files.keys() if self._found is None else self._found)
                self._found = found
        except Mistake:
            differs = config is not None
        ended = time.monotonic()
        self._next_stroll = ended + max(_STROLL, (ended - began) * _SHARE)
        return differs

    def _names(self, config: Config | None) -> set[str]:
        places = config_places(starting_point(self.options), self.options.config)
        if config is None:
            return {*map(str, places), *self._named}
        baseline = self.options.baseline or config.baseline
        registry = config.registry or (config.root / DEFAULT_REGISTRY,)
        return set(map(str, (*places, *registry, baseline)))


def _remembering(seen: dict[str, Stamp], paths: Iterable[str]) -> dict[str, Stamp]:
    return {path: seen.get(path, stamp) for path, stamp in stamps(paths).items()}
