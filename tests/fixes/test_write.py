"""A file is replaced whole, or left alone with a reason."""

import os
import stat

import pytest

from redis_guard.fixes.write import replace_file, write_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "limits.py"
    path.write_bytes(b"old\r\n")
    return path


def only_file(path):
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_the_new_bytes_are_written_and_nothing_else_is_left(path):
    assert replace_file(path, b"old\r\n", b"new\r\n") is None
    assert path.read_bytes() == b"new\r\n"
    assert only_file(path)


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664])
def test_the_mode_is_kept(path, mode):
    path.chmod(mode)
    replace_file(path, b"old\r\n", b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_gets_the_usual_mode(tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    write_file(tmp_path / "made", b"x")
    assert (tmp_path / "made").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_of_a_symbolic_link_the_target_is_edited(path, tmp_path):
    link = tmp_path / "link.py"
    link.symlink_to(path)
    assert replace_file(link, b"old\r\n", b"new") is None
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_dangling_link_can_be_created_through(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "made.json")
    write_file(link, b"x")
    assert link.is_symlink()
    assert (tmp_path / "made.json").read_bytes() == b"x"


def test_a_file_that_changed_since_it_was_read_is_left_alone_and_named(path):
    path.write_bytes(b"someone else was here")
    why = replace_file(path, b"old\r\n", b"new")
    assert "limits.py: changed since it was read" in why
    assert path.read_bytes() == b"someone else was here"


def test_a_missing_file_and_a_directory_are_named(tmp_path):
    assert "none.py: left alone" in replace_file(tmp_path / "none.py", b"", b"x")
    assert "left alone" in replace_file(tmp_path, b"", b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_loop_of_links_is_named(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "left alone" in replace_file(tmp_path / "a", b"", b"x")


def test_a_file_that_may_not_be_written_is_left_alone(path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda target, mode: False)  # root may write to everything
    assert "not writable" in replace_file(path, b"old\r\n", b"new")
    assert path.read_bytes() == b"old\r\n"


def test_a_failure_leaves_the_old_file_and_no_temporary(path, monkeypatch):
    def fail(self, target):
        raise OSError("disk full")

    monkeypatch.setattr(type(path), "replace", fail)
    assert "disk full" in replace_file(path, b"old\r\n", b"new")
    assert path.read_bytes() == b"old\r\n"
    assert only_file(path)


def test_an_unchanged_file_is_not_touched(path):
    before = path.stat()
    assert replace_file(path, b"old\r\n", b"old\r\n") is None
    assert path.stat().st_ino == before.st_ino
