"""`make demo`: short enough to be read, and ends with the runtime at work."""

import os
import subprocess
import sys
from pathlib import Path


def test_the_demo_shows_everything_in_a_few_screens(root: Path) -> None:
    """With the interpreter and the packages of this run instead of those that it would install."""
    done = subprocess.run(
        ["make", "--no-print-directory", "demo", f"BIN={Path(sys.executable).parent}", "RUNS="],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    commands = [line for line in done.stdout.splitlines() if line.startswith("$ ")]
    assert [command.split()[1] for command in commands] == ["redis-guard"] * 3 + ["python"]
    assert len(done.stdout.splitlines()) < 150
    counts, findings, groups, runtime = done.stdout.split("$ ")[1:]
    assert "direct-call" in counts
    assert "RG202 incr-then-expire" in findings
    assert "lock-like" in groups
    assert "A signal, whose connection is killed" in runtime
