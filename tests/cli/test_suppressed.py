"""`--show-suppressed`: what is silenced and by what; `--error-stale-baseline`: nothing dead in a baseline."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

HEAD = "import redis\n\nr = redis.Redis()\n"
FILES = {
    "allow.py": HEAD + "r.keys('a')  # redis-guard: allow[RG701] a handful of keys only\n",
    "noqa.py": HEAD + "r.keys('a')  # noqa: RG701\n",
    "old/config.py": HEAD + "r.keys('a')\n",
    "baseline.py": HEAD + "r.keys('a')\n",
}
CONFIG = """[tool.redis-guard]
select = ["RG701"]
[[tool.redis-guard.allow]]
paths = ["old"]
rules = ["RG701"]
reason = "goes away with the old importer"
"""
BASELINE = ".redis-guard-baseline.json"
REASONS = {
    "allow.py": ("allow", "a handful of keys only"),
    "noqa.py": ("noqa", None),
    "old/config.py": ("config", "goes away with the old importer"),
    "baseline.py": ("baseline", f"recorded in {BASELINE}"),
}


@pytest.fixture
def root(project: Project, run: Run) -> Path:
    folder = project(FILES, CONFIG)
    assert run("check", "--write-baseline", cwd=folder).returncode == 0
    return folder


def test_suppressed_findings_are_listed_with_what_silenced_them_and_fail_nothing(
    root: Path, run: Run
) -> None:
    plain = run("check", "--output-format", "json", cwd=root)
    assert json.loads(plain.stdout)["findings"] == []
    done = run("check", "--show-suppressed", "--output-format", "json", cwd=root)
    report = json.loads(done.stdout)
    assert {f["path"]: (f["suppressed"], f["reason"]) for f in report["findings"]} == REASONS
    assert (report["summary"]["findings"], done.returncode) == (0, 0)
    assert (report["summary"]["suppressed"], report["summary"]["baseline"]) == (3, 1)


@pytest.mark.parametrize("form", ["text", "concise"])
def test_people_are_told_too(root: Path, run: Run, form: str) -> None:
    done = run("check", "--show-suppressed", "--output-format", form, cwd=root)
    assert done.returncode == 0
    for path, (by, reason) in REASONS.items():
        assert path in done.stdout
        assert f"suppressed by {by}{f': {reason}' if reason else ''}" in done.stdout
    assert "suppressed by" not in run("check", "--output-format", form, cwd=root).stdout


def test_a_stale_entry_is_a_note_unless_it_is_to_be_an_error(root: Path, run: Run) -> None:
    (root / "baseline.py").write_text("x = 1\n")
    before = (root / BASELINE).read_bytes()
    quiet = run("check", "--output-format", "concise", cwd=root)
    done = run("check", "--error-stale-baseline", "--output-format", "json", cwd=root)
    (finding,) = json.loads(done.stdout)["findings"]
    assert (quiet.returncode, quiet.stdout) == (0, "")  # RG002 is not selected here
    assert done.returncode == 1
    assert (finding["code"], finding["severity"], finding["path"], finding["line"]) == (
        "RG002", "error", BASELINE, 4,
    )  # fmt: skip
    assert "baseline.py" in finding["message"]
    assert (root / BASELINE).read_bytes() == before


def test_a_baseline_without_dead_entries_passes(root: Path, run: Run) -> None:
    assert run("check", "--error-stale-baseline", cwd=root).returncode == 0


def test_an_entry_of_another_file_than_those_asked_about_is_nobodys_business(root: Path, run: Run) -> None:
    (root / "baseline.py").write_text("x = 1\n")
    assert run("check", "--error-stale-baseline", "allow.py", cwd=root).returncode == 0


def test_no_severity_makes_a_stale_entry_pass(root: Path, run: Run) -> None:
    (root / "baseline.py").write_text("x = 1\n")
    eased = CONFIG.replace("[[", '[tool.redis-guard.severity]\nRG002 = "note"\n[[', 1)
    (root / "pyproject.toml").write_text(eased)
    assert run("check", "--error-stale-baseline", "--fail-on", "error", cwd=root).returncode == 1


@pytest.mark.parametrize("other", ["--write-baseline", "--prune-baseline"])
def test_it_does_not_go_with_what_changes_the_baseline(root: Path, run: Run, other: str) -> None:
    done = run("check", "--error-stale-baseline", other, cwd=root)
    assert done.returncode == 2
    assert other in done.stderr
