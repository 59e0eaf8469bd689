"""What the cache still knows of a tree that may have changed."""

import os
import time

import pytest

from redis_guard.source.cache import load_cache, save_cache
from redis_guard.source.discover import discover
from redis_guard.source.read import Unreadable
from redis_guard.source.recall import recall
from redis_guard.source.survey import survey_file
from redis_guard.source.tree import FileStat, Tree

SETTINGS = b"settings"
HOUR = 3600 * 10**9


class Project:
    """A project whose cache is filled and asked as the checker does it."""

    def __init__(self, root):
        self.root = root
        self.cache = root.parent / "cache"

    def tree(self, later=0):
        tree = discover(self.root)
        return Tree(tree.root, tree.files, tree.seen_ns + later)

    def remember(self, tree=None):
        """Save what a run an hour after the last change would."""
        tree = tree or self.tree(HOUR)
        surveyed = {path: survey_file(tree, path) for path in tree.files}
        entries = {path: entry for path, entry in surveyed.items() if not isinstance(entry, Unreadable)}
        assert save_cache(self.cache, "key", tree, entries, (SETTINGS, b"result")) is None

    def recall(self, settings=SETTINGS, tree=None):
        return recall(load_cache(self.cache, "key")[0], tree or self.tree(), settings)


@pytest.fixture
def kept(project, write):
    write({"a.py": "import redis\n", "b.py": "from a import r\n", "c/d.py": "x = 1\n"})
    kept = Project(project)
    kept.remember()
    return kept


def test_an_unchanged_tree_is_answered_from_stats_alone(kept):
    tree = kept.tree()
    answer = kept.recall(tree=Tree("/nowhere/to/read/from", tree.files, tree.seen_ns))
    assert answer.result == b"result"
    assert (answer.known, answer.changed, answer.refreshed) == ({}, [], False)


def test_other_settings_keep_what_is_known_and_not_the_result(kept):
    answer = kept.recall(b"other")
    assert answer.result is None
    assert list(answer.known) == ["a.py", "b.py", "c/d.py"]
    assert answer.changed == []
    assert answer.known["a.py"].mentions
    assert answer.known["b.py"].tokens == {b"a", b"r"}


def test_a_changed_file_is_changed_and_the_others_are_known(kept, write):
    write({"b.py": "from a import other\n"})
    answer = kept.recall()
    assert answer.result is None
    assert answer.changed == ["b.py"]
    assert list(answer.known) == ["a.py", "c/d.py"]


def test_a_change_of_the_same_size_with_the_times_set_back_is_seen(kept, write):
    before = (kept.root / "b.py").stat()
    write({"b.py": "from a import q\n"})
    os.utime(kept.root / "b.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (kept.root / "b.py").stat().st_size == before.st_size
    assert kept.recall().changed == ["b.py"]


def test_a_new_file_is_changed_and_a_removed_one_is_forgotten(kept, write):
    write({"e.py": ""})
    (kept.root / "a.py").unlink()
    answer = kept.recall()
    assert answer.result is None
    assert answer.changed == ["e.py"]
    assert list(answer.known) == ["b.py", "c/d.py"]


def test_a_removed_file_alone_takes_the_result_with_it(kept):
    (kept.root / "c/d.py").unlink()
    answer = kept.recall()
    assert (answer.result, answer.changed) == (None, [])


def test_a_fresh_checkout_is_known_by_its_content(kept):
    for path in ("a.py", "b.py", "c/d.py"):
        os.utime(kept.root / path, ns=(1, 1))
    answer = kept.recall()
    assert answer.result == b"result"
    assert answer.refreshed
    assert answer.known["a.py"].stat == kept.tree().files["a.py"]
    tree = kept.tree(HOUR)
    assert save_cache(kept.cache, "key", tree, answer.known, (SETTINGS, b"result")) is None
    assert not kept.recall().refreshed


def test_a_moved_tree_is_known(kept):
    moved = kept.root.with_name("moved")
    kept.root.rename(moved)
    kept.root = moved
    assert kept.recall().result == b"result"


def test_a_file_changed_right_after_the_look_is_not_missed(project, write):
    """Same size, and a clock too coarse to tell the two versions apart."""
    write({"a.py": "x = 1\n"})
    kept = Project(project)
    tree = kept.tree()
    kept.remember(tree)
    write({"a.py": "x = 2\n"})
    same_stats = Tree(tree.root, dict(tree.files), time.time_ns())
    answer = kept.recall(tree=same_stats)
    assert answer.result is None
    assert answer.changed == ["a.py"]


def test_a_file_that_can_no_longer_be_read_is_changed(kept):
    (kept.root / "b.py").unlink()
    (kept.root / "b.py").symlink_to("b.py")
    tree = kept.tree()
    files = {**tree.files, "b.py": FileStat(16, 1, 1)}
    answer = kept.recall(tree=Tree(tree.root, files, tree.seen_ns))
    assert answer.changed == ["b.py"]
    assert isinstance(survey_file(Tree(tree.root, files, tree.seen_ns), "b.py"), Unreadable)


def test_a_tree_with_an_unreadable_file_has_no_result(kept):
    tree = kept.tree(HOUR)
    kept.remember(Tree(tree.root, {path: tree.files[path] for path in ("a.py", "b.py")}, tree.seen_ns))
    answer = kept.recall()
    assert answer.result is None
    assert answer.changed == ["c/d.py"]


def test_an_empty_project_remembers_its_result(project):
    kept = Project(project)
    assert kept.recall().result is None
    kept.remember()
    assert kept.recall().result == b"result"


def test_times_past_the_year_2262_fall_back_to_content(kept):
    far = 1 << 62
    os.utime(kept.root / "a.py", ns=(far * 4, far * 4))
    if kept.tree().files["a.py"].mtime_ns < far * 2:
        pytest.skip("this file system does not reach that far")
    assert kept.recall().result == b"result"
    kept.remember()
    assert kept.recall().result == b"result"
