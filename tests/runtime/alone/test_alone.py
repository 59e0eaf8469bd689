"""The runtime needs redis and PyYAML alone: where nothing else is installed, its own tests pass.

pytest is lent from outside: its packages stand on the path as links, so that nothing beside them comes along.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from redis_guard.testing import valkey_binary

ROOT = Path(__file__).parents[3]
NEEDED = ("redis>=5.2", "PyYAML>=6.0.2,<7")
LENT = ("pytest", "_pytest", "pytest_timeout", "pluggy", "iniconfig", "packaging", "py", "pygments")
SLOW = ("faults", "history", "interleavings")
"""Take minutes: here it is only seen that everything they import is there."""
LEFT_OUT = {
    "alone": "would run itself",
    "typing": "needs mypy",
    "test_demo.py": "runs what stands in fixtures",
    "telemetry": "is for the extras prometheus and otel",
    "observing": "is for the extras as well",
    "test_memory_model.py": "needs hypothesis",
}


def install(python: Path, *what: str | Path) -> None:
    """Into the environment of `python`, by the pip of our own; fails with pip's last words."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--disable-pip-version-check",
        *what,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        pytest.fail(
            f"pip could not install {what[-1]}; without a package index, deselect this with -m 'not index'. "
            f"It said: {' '.join(said[-2:])}",
            pytrace=False,
        )


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the package, redis and PyYAML."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / "bin" / "python"
    install(python, *NEEDED)
    install(python, "--no-deps", ROOT)
    return python


@pytest.fixture
def lent(tmp_path: Path) -> Path:
    """A folder with pytest and what it needs."""
    folder = tmp_path / "lent"
    folder.mkdir()
    for name in LENT:
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None, f"{name} is not installed"
        package = Path(spec.origin)
        package = package.parent if package.name == "__init__.py" else package
        (folder / package.name).symlink_to(package)
    return folder


@pytest.fixture
def run(alone: Path, lent: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """pytest with these arguments, on a copy of the tests: the package must not be found beside them."""
    runtime = tmp_path / "project" / "tests" / "runtime"
    shutil.copytree(
        ROOT / "tests" / "runtime", runtime, ignore=lambda *_: [*LEFT_OUT.keys() - {"alone"}, "__pycache__"]
    )
    for path in (runtime / "alone").glob("test_*.py"):
        path.unlink()
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "project")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV_"))},
        "PYTHONPATH": str(lent),
        "REDIS_GUARD_SERVER": str(valkey_binary()),
    }
    return lambda *arguments: subprocess.run(
        [
            alone,
            "-m",
            "pytest",
            "-p",
            "pytest_timeout",
            "-rs",
            "-o",
            "python_files=test_*.py inside.py",
            *arguments,
        ],
        cwd=tmp_path / "project",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.index
@pytest.mark.timeout(900)
def test_the_runtimes_tests_pass_with_redis_and_pyyaml_alone(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = run("tests/runtime", *(f"--ignore=tests/runtime/{name}" for name in SLOW))

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


@pytest.mark.index
def test_the_slow_ones_find_all_that_they_import(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = run("--collect-only", *(f"tests/runtime/{name}" for name in SLOW))

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
