"""Our reading of .gitignore against git's own."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from redis_guard.source.ignore import ignore_rules
from redis_guard.source.walk import walk_files

NAMES = ["a", "b", "ab", "a.py", "b.pyi", "build"]
FILES = [
    f"{first}{second}{name}"
    for first in ("", "a/", "ab/")
    for second in ("", "b/", "build/")
    for name in ("a.py", "b.pyi", "ab.py", "other.py")
]
part = st.sampled_from(
    ["a", "b", "ab", "a*", "*", "?", "[ab]", "[!a]", "build", "*.py", "*.pyi", "a.py", "**", "*y"]
)
line = st.builds(
    lambda negated, anchored, parts, directory: negated + anchored + "/".join(parts) + directory,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(part, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
lines = st.lists(line, max_size=4)


def git_lists(root: Path) -> list[str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "init", "-q"], cwd=root, env=environment, check=True, capture_output=True)
    listed = subprocess.run(
        ["git", "ls-files", "-oz", "--exclude-standard"],
        cwd=root,
        env=environment,
        check=True,
        capture_output=True,
    )
    return sorted(path for path in listed.stdout.decode().split("\0") if path.endswith((".py", ".pyi")))


@settings(max_examples=40, deadline=None)
@given(lines, lines)
@example(["*", "!*/", "!*.py"], [])
@example(["a*"], ["!b/"])
@example(["a", "!a"], [])
@example(["b*"], ["!b/"])
@example(["a/**", "!a/a.py"], ["b/**/"])
@example(["*/", "!a/"], ["**/", "!/b/"])
def test_the_walk_finds_what_git_would_track(outer, inner):
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for path in FILES:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("")
        (root / ".gitignore").write_text("\n".join(outer))
        (root / "a/.gitignore").write_text("\n".join(inner))
        assert sorted(walk_files(directory)) == git_lists(root)


@pytest.mark.parametrize("text", ["", "# comment", "   ", "!", "\n\n"])
def test_lines_without_a_rule_make_no_rules(text):
    assert ignore_rules(text.split("\n")) is None


def test_one_bad_line_does_not_spoil_the_others():
    rules = ignore_rules(["!", "///", "bad.py"])
    assert rules is not None
    assert rules.python_file("a/bad.py")


def test_a_later_rule_outweighs_an_earlier_one():
    rules = ignore_rules(["*.py", "!keep.py", "keep.py"])
    assert rules is not None
    assert rules.python_file("keep.py") is True
    assert ignore_rules(["*.py", "!keep.py"]).python_file("keep.py") is False


def test_no_rule_is_no_verdict():
    rules = ignore_rules(["build/"])
    assert rules is not None
    assert rules.python_file("a.py") is None
    assert rules.directory("src") is None


def test_any_file_is_hidden_by_its_name_or_by_a_directory_above_it():
    rules = ignore_rules(["vendor/", "run"])
    assert rules is not None
    assert rules.hides("a/vendor/b/script")
    assert rules.hides("bin/run")
    assert rules.hides("vendor", is_directory=True)
    assert not rules.hides("vendor")
    assert not rules.hides("bin/walk")
