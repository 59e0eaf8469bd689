"""The program behind `make demo`: it shows what the runtime promises, and fails when that does not come true."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "fixtures" / "demo"


def run(demo: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, demo],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_four_go_as_promised() -> None:
    done = run(DEMO)

    assert (done.returncode, done.stderr) == (0, "")
    scenes = [block.splitlines()[0].partition(",")[0] for block in done.stdout.split("\n\n")[1:]]
    assert scenes == ["A lock", "A claim", "A counter", "A signal"]


def test_it_fails_when_something_is_not_as_promised(tmp_path: Path) -> None:
    spoilt = shutil.copytree(DEMO, tmp_path / "demo", ignore=shutil.ignore_patterns("__pycache__"))
    registry = spoilt / "redis_guard.yaml"
    registry.write_text(
        registry.read_text(encoding="utf-8").replace("limit: 3", "limit: 2"), encoding="utf-8"
    )

    done = run(spoilt)

    assert done.returncode == 1
    assert done.stderr == "not as promised: the limit of 3 is exceeded by the fourth\n"
