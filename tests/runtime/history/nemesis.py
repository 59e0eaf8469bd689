"""The players, and who stops, kills and replaces them.

Law of this file: a player is paused between the moments that are written down at least, and one that ends by itself is
an error.
"""

import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from redis_guard.runtime.clock import now
from redis_guard.testing import Server
from redis_guard.testing.process import Process
from tests.runtime.history.judge import Pause

ROOT = Path(__file__).parents[3]
PLAYER = "tests.runtime.history.player"


class Nemesis:
    """Players of one server, with their histories in `folder`."""

    def __init__(self, server: Server, folder: Path, seed: int, *, players: int = 6) -> None:
        self._server = server
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(seed)
        self._players: dict[str, Process] = {}
        self._lives = dict.fromkeys((f"p{number}" for number in range(players)), 0)
        self.pauses: list[Pause] = []
        self.kills = 0

    def __enter__(self) -> Self:
        for slot in self._lives:
            self._start(slot)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for player in self._players.values():
            player.end(signal.SIGTERM if error is None else signal.SIGKILL)
            player.remove_folder()

    def histories(self) -> list[Path]:
        """What was written so far, one file for each process."""
        return sorted(self._folder.glob("*.jsonl"))

    def strike(self) -> None:
        """Do something bad, and let it be over."""
        self._all_are_there()
        slot = self._chance.choice(tuple(self._players))
        match self._chance.choices(("pause", "kill", "pause the server"), (16, 3, 2))[0]:
            case "pause":
                self._pause(slot)
            case "kill":
                self._players[slot].end(signal.SIGKILL)
                self._players.pop(slot).remove_folder()
                self.kills += 1
                self._start(slot)
            case _:
                self._server.pause()
                time.sleep(self._chance.uniform(0.01, 0.15))
                self._server.resume()
        time.sleep(self._chance.uniform(0.01, 0.1))

    def _pause(self, slot: str) -> None:
        player = self._players[slot]
        player.pause()
        began = now()
        time.sleep(self._chance.choice((0.03, 0.07, 0.13, 0.35)))
        ended = now()
        player.resume()
        self.pauses.append(Pause(self._name(slot), began, ended))

    def _start(self, slot: str) -> None:
        self._lives[slot] += 1
        name = self._name(slot)
        history, handed_on = self._folder / f"{name}.jsonl", self._folder / "handed_on"
        # The first half of the players are threads, the other tasks; they meet at the same locks.
        world = "sync" if int(slot[1:]) < len(self._lives) // 2 else "aio"
        arguments = [name, world, self._server.url, history, handed_on, str(self._seed)]
        command = [sys.executable, "-m", PLAYER, *arguments]
        folder = Path(tempfile.mkdtemp(prefix="redis-guard-player-"))
        self._players[slot] = Process(command, folder)

    def _name(self, slot: str) -> str:
        return f"{slot}.{self._lives[slot]}"

    def _all_are_there(self) -> None:
        for slot, player in self._players.items():
            if not player.running:
                raise RuntimeError(f"player {self._name(slot)} has ended: {player.output()[-2000:]}")
