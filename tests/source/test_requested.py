"""Which files a user asked about."""

import os

import pytest

from redis_guard.source.discover import discover
from redis_guard.source.requested import PathError, requested


@pytest.fixture
def tree(project, write, git, monkeypatch):
    git("init", "-q")
    write(
        {
            ".gitignore": "gen/\nlocal.py\n",
            "a.py": "",
            "app/b.py": "",
            "app/sub/c.py": "",
            "application/d.py": "",
            "gen/e.py": "",
            "gen/deep/f.py": "",
            "local.py": "x",
            "bin/script": "#!/usr/bin/env python\n",
            ".venv/lib/g.py": "",
            "docs/readme.md": "",
        }
    )
    monkeypatch.chdir(project)
    return discover(project)


def asked(tree, *paths, exclude=()):
    return sorted(requested(tree, paths, exclude=exclude).paths)


def test_no_paths_mean_the_whole_project(tree):
    assert asked(tree) == ["a.py", "app/b.py", "app/sub/c.py", "application/d.py"]


def test_a_directory_means_what_lies_below_it_and_not_its_namesakes(tree):
    assert (
        asked(tree, "app")
        == asked(tree, "app/")
        == asked(tree, "./app/sub/..")
        == ["app/b.py", "app/sub/c.py"]
    )


def test_the_root_itself_means_the_whole_project(tree, project):
    assert asked(tree, ".") == asked(tree, project) == list(tree.files)


def test_paths_are_relative_to_the_working_directory(tree, project, monkeypatch):
    monkeypatch.chdir(project / "app")
    assert asked(tree, "b.py", "../a.py") == ["a.py", "app/b.py"]
    assert asked(tree, ".") == ["app/b.py", "app/sub/c.py"]


def test_a_named_file_is_checked_though_git_ignores_it_and_joins_the_tree(tree):
    answer = requested(tree, ["local.py"])
    assert answer.paths == {"local.py"}
    assert answer.tree.files["local.py"].size == 1
    assert list(answer.tree.files) == sorted([*tree.files, "local.py"])
    assert "local.py" not in tree.files


def test_a_named_directory_is_checked_though_git_ignores_it(tree):
    assert asked(tree, "gen") == ["gen/deep/f.py", "gen/e.py"]
    assert asked(tree, "gen/deep") == ["gen/deep/f.py"]
    assert asked(tree, ".venv") == [".venv/lib/g.py"]


def test_a_named_file_needs_no_suffix(tree):
    assert asked(tree, "bin/script") == ["bin/script"]
    assert asked(tree, "bin") == []


def test_what_is_excluded_is_not_checked_though_named(tree):
    assert asked(tree, "a.py", "app/b.py", "bin/script", exclude=["a.py", "/bin/"]) == ["app/b.py"]
    assert asked(tree, "gen", exclude=["gen/"]) == []
    assert asked(tree, "gen", exclude=["deep/"]) == ["gen/e.py"]


def test_a_path_named_twice_counts_once(tree):
    assert asked(tree, "a.py", "./a.py", ".") == list(tree.files)


def test_a_named_link_is_followed(tree, project, tmp_path):
    (tmp_path / "outside.py").write_text("123")
    (project / "link.py").symlink_to(tmp_path / "outside.py")
    answer = requested(tree, ["link.py"])
    assert answer.paths == {"link.py"}
    assert answer.tree.files["link.py"].size == 3


def test_a_path_through_another_name_of_the_root_is_found(tree, project, tmp_path):
    (tmp_path / "alias").symlink_to(project, target_is_directory=True)
    assert asked(tree, tmp_path / "alias/app/b.py") == ["app/b.py"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.py", "nowhere.py: no such file or directory"),
        ("a.py/b.py", "a.py/b.py: no such file or directory"),
        ("..", "..: outside the project at "),
        ("a\0b", "no such file or directory|not a path"),
    ],
)
def test_a_path_that_cannot_be_checked_is_said_in_one_line(tree, path, message):
    with pytest.raises(PathError, match=message) as error:
        requested(tree, ["a.py", path])
    assert "\n" not in str(error.value)


def test_a_pipe_is_refused_and_not_waited_for(tree, project):
    os.mkfifo(project / "pipe")
    with pytest.raises(PathError, match="pipe: neither a regular file nor a directory"):
        requested(tree, ["pipe"])


def test_a_sibling_with_the_roots_name_as_prefix_is_outside(tree, project):
    sibling = project.with_name("project2")
    sibling.mkdir()
    (sibling / "a.py").write_text("")
    with pytest.raises(PathError, match="outside the project"):
        requested(tree, [sibling / "a.py"])
