"""A program that ends with the process that started it, however that ends.

Law of this file: the watch lies with a pipe, which a kernel closes even for a process that was killed. A death signal
(Linux alone) would also come when the starting thread ends, and needs code between fork and exec.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

# The shell becomes the program, so that the program is our child; the watcher, its grandchild and then nobody's, reads
# standard input: a line means that we end in order, end of file that we are gone.
_WATCHED = """
( ( read -r line <&3 || { kill -9 $$; rm -rf "$0"; } ) >/dev/null 2>&1 & ) 3<&0
exec "$@" </dev/null
"""


class Process:
    """A running program, and a folder that goes when it does.

    Output goes to the file `log` in the folder. A process forked from this one keeps the program alive as long as it
    lives itself.
    """

    def __init__(self, command: Sequence[str | Path], folder: Path) -> None:
        self.folder = folder
        self._starter = os.getpid()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHED, folder, *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                bufsize=0,
                # An interrupt at the terminal is for the tests, which then stop the program themselves.
                start_new_session=True,
            )

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def end(self, number: signal.Signals) -> None:
        """Send the signal and wait until the program is gone, ten seconds for all but SIGKILL, which follows then."""
        if os.getpid() != self._starter or not self.running:
            return
        self._process.send_signal(number)
        self._dismiss_watcher()
        try:
            self._process.wait(None if number == signal.SIGKILL else 10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def remove_folder(self) -> None:
        """Call once the program is gone."""
        if os.getpid() == self._starter:
            self._dismiss_watcher()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _dismiss_watcher(self) -> None:
        watcher = self._process.stdin
        # It has gone already where somebody killed it.
        with contextlib.suppress(OSError):
            if watcher and not watcher.closed:
                watcher.write(b"\n")
                watcher.close()

    def pause(self) -> None:
        """Stop it, as SIGSTOP does; back when it stands still."""
        self._process.send_signal(signal.SIGSTOP)
        # macOS has waitid from Python 3.13 on; there the signal is usually faster than the next system call.
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def resume(self) -> None:
        """Let it run on, if it was paused."""
        self._process.send_signal(signal.SIGCONT)

    def output(self) -> str:
        """What it has written so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")
