"""Another process that coordinates: stopped, killed and interrupted as a test needs it.

Law of this file: both sides say what has happened, a line at a time; nobody guesses when the other is ready.
"""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Self

REPOSITORY = Path(__file__).parents[3]

_IN_A_WORLD = """
import os, sys
from tests.runtime.faults.registered import registry
from tests.runtime.worlds import WORLDS

def say(*words):
    print(*words, flush=True)

def heard():
    return sys.stdin.readline().strip()

with WORLDS[sys.argv[1]]() as world:
    coordination = world.coordination(registry(), url=sys.argv[2])
"""

# What is started in the background is deaf to it, and its children are too.
_HEARS_CONTROL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


class Child:
    """A Python program from `with` on; killed at the end of the block unless it has ended."""

    def __init__(self, program: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _HEARS_CONTROL_C + textwrap.dedent(program), *arguments],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    @classmethod
    def coordinating(cls, body: str, world: str, url: str) -> Self:
        """`body` has `coordination`, `say(…)` to tell the test a line, and `heard()` to be told one."""
        return cls(_IN_A_WORLD + textwrap.indent(textwrap.dedent(body), "    "), world, url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def says(self) -> str:
        """The next line; empty when it has ended."""
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def tell(self, line: str = "") -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()

    def interrupt(self) -> None:
        """As Control-C does."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait; the exit status."""
        return self._process.wait(10)
