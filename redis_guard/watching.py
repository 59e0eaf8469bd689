"""`check --watch` without a terminal: an outcome for every change of the project, as long as somebody asks for more.

Law of this file: whatever the files hold, the watch goes on; a mistake of the user is an outcome like any other.
"""

import time
from collections.abc import Generator
from dataclasses import dataclass, field

from redis_guard.again import Memory, first, hasty, settled
from redis_guard.analysis import Analysis
from redis_guard.check import Outcome, configured, judged
from redis_guard.config import Config
from redis_guard.eyes import Eyes
from redis_guard.mistake import Mistake
from redis_guard.options import Options
from redis_guard.second_look import SecondLook


@dataclass(frozen=True, slots=True)
class Turn:
    """One outcome, and what led to it."""

    outcome: Outcome | Mistake
    files: int
    """Of the project, as far as it is known."""
    changed: frozenset[str]
    """Those that are new, gone, or not what they were; none in the first turn."""
    seconds: float
    """From the moment that the change was noticed."""


@dataclass(slots=True)
class _Watch:
    options: Options
    eyes: Eyes
    memory: Memory = field(default_factory=Memory)
    config: Config | None = None
    """None while it cannot be read."""
    analysis: Analysis | None = None
    """What is shown; None while a mistake is."""
    mistake: str = ""

    def look(self, began: float) -> Turn | None:
        """The outcome as things are now, if there is any news in it."""
        options, before, known_mistake = self.options, self.config, self.mistake
        self.config, self.analysis, self.mistake = None, None, ""
        changed = frozenset[str]()
        other_files = self.eyes.blink(before)
        outcome: Outcome | Mistake
        try:
            self.config = config = configured(options)
            if self.memory.tree is None:
                analysis = first(
                    config, options.paths, self.memory, use_cache=options.use_cache, jobs=options.jobs
                )
                other_files = True
            else:
                look = hasty(config, options.paths, self.memory, jobs=options.jobs)
                analysis, changed = look.analysis, look.changed
            outcome = judged(options, config, analysis)
            self.analysis = analysis
        except Mistake as mistake:
            outcome, self.mistake = mistake, str(mistake)
        self.eyes.rest_on(self.config, self.memory.tree)
        if not (changed or other_files or self.config != before or self.mistake != known_mistake):
            return None
        return self._turn(outcome, changed, began)

    def settle(self, data: bytes | None, began: float) -> Turn | None:
        """What a thorough look makes of the outcome that is shown, where that is something else."""
        if data is None or self.config is None or self.analysis is None:
            return None
        again = settled(self.config, self.analysis, data, self.memory, use_cache=self.options.use_cache)
        if again is None:
            return None
        self.analysis = again
        return self._turn(judged(self.options, self.config, again), frozenset(), began)

    def second_look(self) -> SecondLook | None:
        """What a hasty look may have missed, under way."""
        if self.config is None or self.analysis is None or self.analysis.sources.kept is None:
            return None
        return SecondLook.begin(self.config, self.analysis)

    def _turn(self, outcome: Outcome | Mistake, changed: frozenset[str], began: float) -> Turn:
        files = 0 if self.memory.tree is None else len(self.memory.tree.files)
        return Turn(outcome, files, changed, time.perf_counter() - began)


def watch(options: Options) -> Generator[Turn, None, None]:
    """The outcome now, and one after each change, for ever; whoever has enough closes it."""
    watched = _Watch(options, Eyes(options))
    second: SecondLook | None = None
    began = time.perf_counter()
    try:
        if (now := watched.look(began)) is not None:
            yield now
        # a first look may have come from the cache: this one gets to know the files, for the changes to come
        watched.eyes.await_quiet()
        news = watched.look(began)
        while True:
            if news is not None:
                if second is not None:
                    second.end()
                    second = None
                yield news
                second = watched.second_look()
            news = None
            while news is None:
                if second is None:
                    time.sleep(watched.eyes.pause)
                elif second.done(watched.eyes.pause):
                    corrected = watched.settle(second.end(), began)
                    second = None
                    if corrected is not None:
                        yield corrected
                if watched.eyes.notice(watched.config):
                    began = time.perf_counter()
                    watched.eyes.await_quiet()
                    news = watched.look(began)
    finally:
        if second is not None:
            second.end()
