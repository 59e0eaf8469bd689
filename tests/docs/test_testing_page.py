import os
import subprocess
import sys
from pathlib import Path

from tests.docs.snippets import REPOSITORY, run_page, snippets

PAGE = REPOSITORY / "docs" / "testing.md"


def test_what_the_page_shows_runs(tmp_path: Path) -> None:
    run_page(PAGE, tmp_path)


def test_the_tests_that_the_page_shows_pass(tmp_path: Path) -> None:
    for snippet in snippets(PAGE):
        name = snippet.code.partition("\n")[0]
        if snippet.info.startswith("python") and name.startswith("# "):
            (tmp_path / name[2:]).write_text(snippet.code, encoding="utf-8")
        elif snippet.info == "yaml":
            (tmp_path / "redis_guard.yaml").write_text(snippet.code, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
