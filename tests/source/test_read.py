"""Reading never waits and never raises."""

import os

import pytest

from redis_guard.source.read import Unreadable, read_bytes


@pytest.mark.parametrize("size", [None, 0, 3, 5, 9])
def test_all_bytes_are_read_whatever_size_was_expected(project, size):
    (project / "a.py").write_bytes(b"12345")
    assert read_bytes(str(project / "a.py"), size) == b"12345"


def test_an_empty_file_is_no_bytes(project):
    (project / "a.py").write_bytes(b"")
    assert read_bytes(str(project / "a.py"), 0) == b""


def test_a_large_file_that_grew_is_read_whole(project):
    content = os.urandom(3 << 20)
    (project / "a.py").write_bytes(content)
    assert read_bytes(str(project / "a.py"), 10) == content


def test_what_is_no_readable_file_is_said_in_one_line(project):
    (project / "loop").symlink_to("loop")
    os.mkfifo(project / "pipe")
    assert read_bytes(str(project / "none.py")) == Unreadable("cannot be read: no such file or directory")
    assert read_bytes(str(project / "loop")) == Unreadable(
        "cannot be read: too many levels of symbolic links"
    )
    assert read_bytes(str(project)) == Unreadable("not a regular file")
    assert read_bytes(str(project / "pipe")) == Unreadable("not a regular file")
    assert read_bytes(str(project), 100) == Unreadable("cannot be read: is a directory")
    assert isinstance(read_bytes("a\0b"), Unreadable)
    assert isinstance(read_bytes(str(project / ("n" * 300))), Unreadable)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said_so(project):
    (project / "a.py").write_text("")
    (project / "a.py").chmod(0)
    assert read_bytes(str(project / "a.py")) == Unreadable("cannot be read: permission denied")
