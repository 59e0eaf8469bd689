"""`check --fix`, `--unsafe-fixes` and `--diff` from the outside: files before and after."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard import fixing
from redis_guard.check import Outcome
from redis_guard.options import Options

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

REPOSITORY = Path(__file__).parents[2]
HEAD = "import redis\n\nr = redis.Redis()\n\n\n"
PAIR = "r.set('k', 1)\nr.expire('k', 60)\n"
FIXED = "r.set('k', 1, ex=60)\n"
UNSAFE_PAIR = "def f(ttl):\n    r.set('k', 1)\n    r.expire('k', ttl)\n"
UNSAFE_FIXED = "def f(ttl):\n    r.set('k', 1, ex=ttl)\n"
ONLY_RACES = '[tool.redis-guard]\nselect = ["RG201"]\n'


def test_safe_fixes_are_written_and_the_rest_is_reported(project: Project, run: Run) -> None:
    root = project({"a.py": HEAD + PAIR + UNSAFE_PAIR}, config=ONLY_RACES)
    done = run("check", "--fix", "--output-format", "concise", cwd=root)
    assert (root / "a.py").read_text() == HEAD + FIXED + UNSAFE_PAIR
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("a.py:")] == ["RG201"]
    assert "fixed 1 finding in 1 file: RG201 1" in done.stderr


def test_unsafe_fixes_are_written_on_demand(project: Project, run: Run) -> None:
    root = project({"a.py": HEAD + PAIR + UNSAFE_PAIR}, config=ONLY_RACES)
    done = run("check", "--unsafe-fixes", cwd=root)
    assert (root / "a.py").read_text() == HEAD + FIXED + UNSAFE_FIXED
    assert done.returncode == 0
    again = run("check", "--fix", "--unsafe-fixes", cwd=root)
    assert (again.returncode, "fixed" in again.stderr) == (0, False)


def test_a_diff_can_be_applied_by_git_and_changes_nothing_itself(project: Project, run: Run) -> None:
    text = HEAD + PAIR + UNSAFE_PAIR
    root = project({"app/a.py": text, "app/b.py": (HEAD + PAIR).rstrip("\n")}, config=ONLY_RACES)
    shown = run("check", "--diff", "--unsafe-fixes", cwd=root)
    assert (root / "app/a.py").read_text() == text
    assert shown.returncode == 1
    assert "would fix 3 findings in 2 files: RG201 3" in shown.stderr
    subprocess.run(["git", "apply", "-"], cwd=root, input=shown.stdout, text=True, check=True)
    assert (root / "app/a.py").read_text() == HEAD + FIXED + UNSAFE_FIXED
    assert run("check", "--diff", "--unsafe-fixes", cwd=root).returncode == 0


def test_a_diff_goes_to_a_file_and_from_another_folder(project: Project, run: Run) -> None:
    root = project({"app/a.py": HEAD + PAIR}, config=ONLY_RACES)
    run("check", "--diff", "--output-file", "changes.diff", cwd=root / "app")
    assert (root / "app/changes.diff").read_text().startswith("--- a/a.py\n+++ b/a.py\n")


def test_standard_input_is_shown_as_a_diff_but_not_written(project: Project, run: Run) -> None:
    root = project({"a.py": ""}, config=ONLY_RACES)
    shown = run("check", "--diff", "--stdin-filename", "a.py", "-", cwd=root, stdin=HEAD + PAIR)
    assert "+r.set('k', 1, ex=60)" in shown.stdout.splitlines()
    refused = run("check", "--fix", "--stdin-filename", "a.py", "-", cwd=root, stdin=HEAD + PAIR)
    assert refused.returncode == 2
    assert "--diff shows the fixes" in refused.stderr
    assert (root / "a.py").read_text() == ""


@pytest.mark.parametrize(
    "others",
    [
        ("--write-baseline",),
        ("--prune-baseline",),
        ("--add-allow", "three whole words"),
        ("--watch",),
        ("--show-settings",),
    ],
)
def test_what_does_not_go_together_is_said(project: Project, run: Run, others: tuple[str, ...]) -> None:
    root = project({"a.py": HEAD + PAIR}, config=ONLY_RACES)
    done = run("check", "--fix", *others, cwd=root)
    assert done.returncode == 2
    assert "fix" in done.stderr
    assert (root / "a.py").read_text() == HEAD + PAIR


def test_only_the_files_that_are_asked_about_are_fixed(project: Project, run: Run) -> None:
    root = project({"a.py": HEAD + PAIR, "b.py": HEAD + PAIR}, config=ONLY_RACES)
    run("check", "--fix", "a.py", cwd=root)
    assert (root / "a.py").read_text() == HEAD + FIXED
    assert (root / "b.py").read_text() == HEAD + PAIR


def test_what_is_allowed_or_in_the_baseline_is_left_alone(project: Project, run: Run) -> None:
    allowed = HEAD + "r.set('k', 1)  # redis-guard: allow[RG201] the gap is known here\nr.expire('k', 60)\n"
    noqa = HEAD + "r.set('k', 1)  # noqa: RG201\nr.expire('k', 60)\n"
    root = project({"a.py": allowed, "b.py": noqa, "c.py": HEAD + PAIR}, config=ONLY_RACES)
    assert run("check", "--write-baseline", "c.py", cwd=root).returncode == 0
    done = run("check", "--unsafe-fixes", cwd=root)
    assert [(root / name).read_text() for name in ("a.py", "b.py", "c.py")] == [allowed, noqa, HEAD + PAIR]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf" + (HEAD + PAIR).encode(), b"\xef\xbb\xbf" + (HEAD + FIXED).encode()),
        ((HEAD + PAIR).replace("\n", "\r\n").encode(), (HEAD + FIXED).replace("\n", "\r\n").encode()),
        ((HEAD + PAIR).replace("\n", "\r").encode(), (HEAD + FIXED).replace("\n", "\r").encode()),
        (
            "# -*- coding: latin-1 -*-\nname = 'é'\n".encode("latin-1") + (HEAD + PAIR).encode(),
            "# -*- coding: latin-1 -*-\nname = 'é'\n".encode("latin-1") + (HEAD + FIXED).encode(),
        ),
        (
            (HEAD + "if r:\n\tr.set('é', 1)\t # é\n\tr.expire('é', 60)\n\x0c\nx = 1").encode(),
            (HEAD + "if r:\n\tr.set('é', 1, ex=60)\t # é\n\x0c\nx = 1").encode(),
        ),
        ((HEAD + PAIR).rstrip("\n").encode(), (HEAD + FIXED).encode()),
        ((HEAD + "r.set('k', 1); r.expire('k', 60)").encode(), (HEAD + FIXED).rstrip("\n").encode()),
    ],
    ids=["bom", "crlf", "cr", "latin-1", "tabs and form feed", "no last line end", "one line"],
)
def test_what_no_edit_names_stays_byte_for_byte(
    project: Project, run: Run, before: bytes, after: bytes
) -> None:
    root = project({"a.py": before}, config=ONLY_RACES)
    run("check", "--fix", cwd=root)
    assert (root / "a.py").read_bytes() == after


def test_a_link_stays_and_its_target_keeps_its_mode(project: Project, run: Run) -> None:
    root = project({"real/a.py": HEAD + PAIR}, config=ONLY_RACES)
    (root / "real/a.py").chmod(0o751)
    (root / "link.py").symlink_to("real/a.py")
    run("check", "--fix", cwd=root)
    assert (root / "link.py").is_symlink()
    assert (root / "link.py").read_text() == HEAD + FIXED
    assert stat.S_IMODE((root / "real/a.py").stat().st_mode) == 0o751


def test_a_file_that_does_not_give_its_bytes_back_is_left_alone(project: Project, run: Run) -> None:
    shift = b"# coding: iso2022_jp\nname = '\x1b(J\x1b(B'\n" + (HEAD + PAIR).encode()
    root = project({"a.py": shift}, config=ONLY_RACES)
    done = run("check", "--fix", cwd=root)
    assert (root / "a.py").read_bytes() == shift
    assert "a.py: left alone: its encoding does not give the same bytes again" in done.stderr
    assert done.returncode == 1


def test_a_file_changed_under_its_hands_is_left_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"a.py": HEAD + PAIR, "b.py": HEAD + PAIR}, config=ONLY_RACES)
    judged = fixing.judged

    def meanwhile(*arguments: object) -> Outcome:
        (root / "a.py").write_text("# somebody else's\n")
        return judged(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fixing, "judged", meanwhile)
    fixed = fixing.fix(Options(paths=(str(root),), use_cache=False), unsafe=False, write=True)
    assert (root / "a.py").read_text() == "# somebody else's\n"
    assert (root / "b.py").read_text() == HEAD + FIXED
    assert any("a.py: changed since it was read, left alone" in note for note in fixed.outcome.notes)
    assert [change.path for change in fixed.changes] == ["b.py"]


def test_the_fix_is_part_of_the_json_and_sarif_reports(project: Project, run: Run) -> None:
    root = project({"a.py": HEAD + PAIR}, config=ONLY_RACES)
    report = json.loads(run("check", "--output-format", "json", cwd=root).stdout)
    fix = report["findings"][0]["fix"]
    assert fix["applicability"] == "safe"
    assert {"start": {"line": 6, "column": 13}, "end": {"line": 6, "column": 13}, "text": ", ex=60"} in fix[
        "edits"
    ]
    sarif = json.loads(run("check", "--output-format", "sarif", cwd=root).stdout)
    [change] = sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"]
    assert len(change["replacements"]) == 2


def test_killed_at_any_moment_it_leaves_whole_files(project: Project) -> None:
    names = [f"m{number}.py" for number in range(40)]
    root = project(dict.fromkeys(names, HEAD + PAIR * 3), config=ONLY_RACES)
    command = [sys.executable, "-m", "redis_guard", "check", "--fix", "--exit-zero"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    whole = {HEAD + PAIR * 3, HEAD + FIXED * 3}
    began = time.monotonic()
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    usual = time.monotonic() - began
    assert {(root / name).read_text() for name in names} == {HEAD + FIXED * 3}
    chance = random.Random(7)
    half_way = 0
    for _ in range(50):
        for name in names:
            (root / name).write_text(HEAD + PAIR * 3)
        process = subprocess.Popen(
            command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # most of them while files are written, which is the last that it does
        deadline = time.monotonic() + usual * chance.uniform(0, 1.2)
        while process.poll() is None and time.monotonic() < deadline:
            if (root / chance.choice(names)).read_text() != HEAD + PAIR * 3 and chance.random() < 0.5:
                break
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = [(root / name).read_text() for name in names]
        assert set(found) <= whole
        half_way += len(set(found)) == 2
    assert half_way, "it was never killed while it wrote"
