"""Which files make up a project, in git work trees and elsewhere."""

import os
import shutil
from pathlib import Path

import pytest

from redis_guard.source.discover import discover
from redis_guard.source.git_files import list_work_tree, read_listing


def found(root: Path, *exclude: str) -> list[str]:
    return list(discover(root, exclude=exclude).files)


@pytest.fixture(params=["git", "plain"])
def tracked(request, git):
    """Does what makes written files part of the project: nothing, or `git add` of all of them."""

    def track() -> None:
        if request.param == "git":
            git("init", "-q")
            git("add", "-A")

    return track


def test_python_files_and_stubs_are_found_sorted_and_nothing_else(project, write, tracked):
    write({"b.py": "", "a/b/c.py": "", "a/d.pyi": "", "a/e.pyw": "", "a/f.pyc": "", "script": "", "g.PY": ""})
    tracked()
    assert found(project) == ["a/b/c.py", "a/d.pyi", "b.py"]


def test_what_gitignore_lines_match_is_left_out_at_every_depth(project, write, tracked):
    write(
        {
            ".gitignore": "/build/\n*_local.py\n!kept_local.py\n",
            "build/x.py": "",
            "a/build/x.py": "",
            "a/settings_local.py": "",
            "a/kept_local.py": "",
            "a/.gitignore": "gen/\r\nonly_here.py\r\n",
            "a/gen/y.py": "",
            "gen/y.py": "",
            "only_here.py": "",
            "a/only_here.py": "",
        }
    )
    tracked()
    assert found(project) == ["a/build/x.py", "a/kept_local.py", "gen/y.py", "only_here.py"]


def test_a_file_in_an_ignored_directory_cannot_be_taken_back(project, write, tracked):
    write({".gitignore": "gen\n!gen/kept.py\n", "gen/kept.py": ""})
    tracked()
    assert found(project) == []


@pytest.mark.parametrize(
    "name", [".venv", "node_modules", ".tox", ".nox", "site-packages", "__pycache__", ".git"]
)
def test_foreign_directories_are_left_out(project, write, name):
    write({f"a/{name}/b/c.py": "", "d.py": ""})
    assert found(project) == ["d.py"]


def test_foreign_directories_are_left_out_even_where_git_does_not_ignore_them(project, write, git):
    git("init", "-q")
    write({"node_modules/gyp/x.py": "", "a/.venv/lib/y.py": "", "z.py": ""})
    git("add", "node_modules", "z.py")
    assert found(project) == ["z.py"]


def test_an_environment_is_known_by_its_marker_and_not_by_its_name(project, write, tracked):
    write(
        {
            "venv/models.py": "",
            "env/pyvenv.cfg": "",
            "env/lib/x.py": "",
            "tools/conda/conda-meta/history": "",
            "tools/conda/lib/y.py": "",
        }
    )
    tracked()
    assert found(project) == ["venv/models.py"]


def test_a_root_that_is_itself_an_environment_is_the_users_wish(project, write, tracked):
    write({"pyvenv.cfg": "", "a.py": ""})
    tracked()
    assert found(project) == ["a.py"]


def test_excluded_files_are_left_out_though_tracked(project, write, tracked):
    write(
        {"a/migrations/0001.py": "", "a/b_pb2.py": "", "a/c.py": "", "legacy/d.py": "", "a/legacy/e.py": ""}
    )
    tracked()
    assert found(project, "migrations/", "*_pb2.py", "/legacy") == ["a/c.py", "a/legacy/e.py"]


def test_untracked_files_count_and_deleted_ones_do_not(project, write, git):
    git("init", "-q")
    write({"gone.py": "", "here.py": ""})
    git("add", "-A")
    (project / "gone.py").unlink()
    write({"new.py": ""})
    assert found(project) == ["here.py", "new.py"]


def test_a_tracked_file_counts_though_it_is_ignored(project, write, git):
    git("init", "-q")
    write({".gitignore": "*_local.py\n", "a_local.py": "", "b_local.py": ""})
    git("add", "-f", "a_local.py")
    assert found(project) == ["a_local.py"]


def test_info_exclude_holds_as_git_says(project, write, git):
    git("init", "-q")
    write({".git/info/exclude": "mine/\n", "mine/a.py": "", "b.py": ""})
    assert found(project) == ["b.py"]


def test_a_root_below_the_top_of_the_work_tree_has_paths_of_its_own(project, write, git):
    git("init", "-q")
    write({".gitignore": "skip.py\n", "service/app/a.py": "", "service/skip.py": "", "other/b.py": ""})
    git("add", "-A")
    assert found(project / "service") == ["app/a.py"]


def test_a_root_that_its_repository_ignores_wholly_is_walked(project, write, git):
    git("init", "-q")
    write({".gitignore": "*\n", "code/app/a.py": "", "code/.gitignore": "b.py\n", "code/b.py": ""})
    assert found(project / "code") == ["app/a.py"]


def test_files_in_a_merge_conflict_are_listed_once(project, write, git):
    git("init", "-q")
    write({"a.py": "1\n"})
    git("add", "-A")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "side")
    write({"a.py": "2\n"})
    git("commit", "-qam", "two")
    git("checkout", "-q", "main")
    write({"a.py": "3\n"})
    git("commit", "-qam", "three")
    with pytest.raises(AssertionError):
        git("merge", "-q", "side")
    assert git("ls-files", "-u").count("a.py") == 3
    assert found(project) == ["a.py"]


def test_submodules_are_part_of_the_project(project, write, git, tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    (library / "lib.py").write_text("")
    git("init", "-q", cwd=library)
    git("add", "-A", cwd=library)
    git("commit", "-qm", "one", cwd=library)
    git("init", "-q")
    git("submodule", "add", "-q", str(library), "vendor/library")
    write({"a.py": "", "vendor/library/new.py": ""})
    assert found(project) == ["a.py", "vendor/library/lib.py", "vendor/library/new.py"]
    assert found(project, "vendor/") == ["a.py"]


def test_a_submodule_that_was_not_checked_out_holds_nothing(project, write, git):
    git("init", "-q")
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/library")
    write({"a.py": ""})
    (project / "vendor/library").mkdir(parents=True)
    assert found(project) == ["a.py"]


def test_an_untracked_repository_inside_is_part_of_the_project(project, write, git):
    git("init", "-q")
    write({"a.py": "", "inner/b.py": "", "inner/.gitignore": "c.py\n", "inner/c.py": ""})
    git("init", "-q", cwd=project / "inner")
    git("add", "-A", cwd=project / "inner")
    git("commit", "-qm", "one", cwd=project / "inner")
    assert found(project) == ["a.py", "inner/b.py"]


def test_repositories_below_a_plain_directory_are_found(project, write, git):
    write({"one/a.py": "", "one/.gitignore": "b.py\n", "one/b.py": "", "two/c.py": ""})
    git("init", "-q", cwd=project / "one")
    assert found(project) == ["one/a.py", "two/c.py"]


@pytest.mark.parametrize(
    "name", ["sp ace.py", "tab\there.py", "new\nline.py", "umläut.py", 'quo"te.py', "160000 a.py"]
)
def test_odd_names_are_found(project, write, tracked, name):
    write({f"d {name}/{name}": ""})
    tracked()
    assert found(project) == [f"d {name}/{name}"]


def test_names_that_are_not_utf8_are_found_and_can_be_opened(project, tracked):
    name = os.fsdecode(b"caf\xe9.py")
    try:
        (project / name).write_text("x")
    except OSError:
        pytest.skip("this file system wants UTF-8")
    tracked()
    tree = discover(project)
    assert list(tree.files) == [name]
    assert Path(tree.full(name)).read_text() == "x"


def test_a_directory_or_a_pipe_named_like_a_python_file_is_none(project, write, tracked):
    write({"pack.py/inner.py": "", "a.py": ""})
    tracked()
    os.mkfifo(project / "pipe.py")
    assert found(project) == ["a.py", "pack.py/inner.py"]


def test_directory_links_are_not_entered_so_loops_end(project, write, tracked):
    write({"a/b.py": ""})
    (project / "a/up").symlink_to(project, target_is_directory=True)
    (project / "self").symlink_to("self")
    tracked()
    assert found(project) == ["a/b.py"]


def test_a_linked_file_counts_once(project, write, tracked, tmp_path):
    write({"a/real.py": "x = 1\n"})
    (tmp_path / "shared.py").write_text("y = 1\n")
    (project / "alias.py").symlink_to("a/real.py")
    (project / "first.py").symlink_to(tmp_path / "shared.py")
    (project / "second.py").symlink_to(tmp_path / "shared.py")
    (project / "dangling.py").symlink_to("nowhere.py")
    (project / "loop.py").symlink_to("loop.py")
    tracked()
    tree = discover(project)
    assert list(tree.files) == ["a/real.py", "first.py"]
    assert tree.files["first.py"].size == 6


def test_git_is_asked_about_our_repository_and_not_the_hooks(project, write, git, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    git("init", "-q", cwd=other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    git("init", "-q")
    write({".gitignore": "no.py\n", "no.py": "", "yes.py": ""})
    git("add", "-A")
    assert found(project) == ["yes.py"]


def test_without_git_the_walk_takes_over(project, write, git, monkeypatch):
    git("init", "-q")
    write({".gitignore": "no.py\n", "no.py": "", "yes.py": ""})
    git("add", "-A")
    monkeypatch.setenv("PATH", os.devnull)
    assert list_work_tree(str(project)) is None
    assert found(project) == ["yes.py"]


def test_where_git_refuses_the_walk_takes_over(project, write, git):
    git("init", "-q")
    write({".gitignore": "no.py\n", "no.py": "", "yes.py": ""})
    git("add", "-A")
    (project / ".git/index").write_bytes(b"broken")
    assert list_work_tree(str(project)) is None
    assert found(project) == ["yes.py"]


def test_a_git_file_that_leads_nowhere_does_not_stop_the_walk(project, write):
    write({".git": "gitdir: /nowhere\n", "a.py": ""})
    assert found(project) == ["a.py"]


def test_a_repositorys_own_config_runs_no_program(project, write, git, tmp_path):
    witness = tmp_path / "witness"
    git("init", "-q")
    write({"a.py": "", "monitor": f"#!/bin/sh\ntouch {witness}\n"})
    (project / "monitor").chmod(0o755)
    git("config", "core.fsmonitor", str(project / "monitor"))
    assert found(project) == ["a.py"]
    assert not witness.exists()


def test_a_root_that_does_not_exist_has_no_files(project):
    assert found(project / "nowhere") == []


def test_the_root_may_be_given_relative_and_with_detours(project, write, monkeypatch):
    write({"app/a.py": ""})
    monkeypatch.chdir(project / "app")
    tree = discover("../app/../app")
    assert tree.root == str(project / "app")
    assert list(tree.files) == ["a.py"]


def test_stats_are_those_of_the_files(project, write):
    write({"a.py": "12345"})
    status = (project / "a.py").stat()
    assert discover(project).files["a.py"] == (5, status.st_mtime_ns, status.st_ctime_ns)


def test_a_listing_tells_tracked_entries_from_names_that_look_like_them():
    digest = "0123456789" * 4
    entries = [
        f"100644 {digest} 0\ta\tb.py",
        f"160000 {digest} 0\tsub",
        "160000 tracked not.py",
        "nested/",
        "",
    ]
    listing = read_listing("\0".join(entries).encode())
    assert listing.files == ["a\tb.py", "160000 tracked not.py"]
    assert listing.repositories == ["sub", "nested"]
    assert not listing.empty
    assert read_listing(b"").empty


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_directory_that_may_not_be_read_is_skipped(project, write):
    write({"a.py": "", "secret/b.py": ""})
    (project / "secret").chmod(0)
    try:
        assert found(project) == ["a.py"]
    finally:
        (project / "secret").chmod(0o755)


def test_very_deep_directories_do_not_exhaust_the_stack(project, git):
    deep = project
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "a.py").write_text("")
    assert found(project) == ["d/" * 300 + "a.py"]
    git("init", "-q")
    git("add", "-A")
    assert found(project) == ["d/" * 300 + "a.py"]
    shutil.rmtree(project / "d")
