"""Users' programs under `mypy --strict`: what is right passes with the types it promises, what is wrong does not."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PROGRAMS = ("threads.py", "tasks.py")


@pytest.fixture(scope="module")
def said() -> dict[str, dict[int, set[str]]]:
    """Codes of errors, by program and line."""
    # With the project's own cache, which `make lint` has filled.
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    done = subprocess.run(
        [*command, "--no-color-output", *(HERE / name for name in PROGRAMS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, dict[int, set[str]]] = {name: defaultdict(set) for name in PROGRAMS}
    for line in done.stdout.splitlines():
        told = re.fullmatch(r"(.+?):(\d+): error: .*  \[([\w-]+)\]", line)
        if told:
            found[Path(told[1]).name][int(told[2])].add(told[3])
        else:
            assert ": note: " in line, done.stdout
    assert done.stderr == ""
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_mistakes_are_errors_and_nothing_else_is(name: str, said: dict[str, dict[int, set[str]]]) -> None:
    marked = {}
    for number, line in enumerate((HERE / name).read_text(encoding="utf-8").splitlines(), 1):
        if mark := re.search(r"  # error: (.+)", line):
            marked[number] = set(mark[1].split(", "))

    assert len(marked) > 10
    assert said[name] == marked
