"""The cache file: what goes in comes out, and no file whatever can hurt."""

import os
import stat
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.source.cache import Cache, Entry, content_digest, load_cache, save_cache
from redis_guard.source.cache_file import NOTHING, Columns, read_columns, write_columns
from redis_guard.source.tree import FileStat, Tree

SEEN = 1_700_000_000_000_000_000
OLD = FileStat(5, SEEN - 10**10, SEEN - 10**10)


def entry(text: bytes = b"x", **changes: object) -> Entry:
    return Entry(OLD, content_digest(text), True, b"a b")._replace(**changes)


ENTRIES = {
    "b.py": entry(b"1", facts=b"\0facts\n"),
    "a/ü.py": entry(b"2", mentions=False, imports=b""),
    "new\nline.py": entry(b"3", facts=b"more"),
    os.fsdecode(b"\xe9.py"): entry(b"4", imports="über".encode()),
}


@pytest.fixture
def tree(project):
    return Tree(str(project), {}, SEEN)


@pytest.fixture
def directory(project):
    return project / "cache"


def file_in(directory):
    return directory / "cache.bin"


@pytest.mark.parametrize("entries", [{}, {"a.py": entry()}, ENTRIES])
def test_entries_come_back_sorted_by_path(tree, directory, entries):
    assert save_cache(directory, "key", tree, entries) is None
    cache, warning = load_cache(directory, "key")
    assert warning is None
    assert list(cache.entries().items()) == sorted(entries.items())


def test_tokens_come_back_as_a_set(tree, directory):
    save_cache(directory, "key", tree, {"a.py": entry(imports=b"clients redis"), "b.py": entry(imports=b"")})
    entries = load_cache(directory, "key")[0].entries()
    assert entries["a.py"].tokens == {b"clients", b"redis"}
    assert entries["b.py"].tokens == frozenset()


def test_no_cache_is_an_empty_one_without_a_warning(directory):
    assert load_cache(directory, "key") == (Cache(), None)
    assert Cache().entries() == {}


def test_a_cache_under_another_key_is_forgotten_without_a_warning(tree, directory):
    save_cache(directory, "python 3.11", tree, ENTRIES)
    assert load_cache(directory, "python 3.12") == (Cache(), None)


def test_a_cache_of_another_version_of_the_tool_is_forgotten(tree, directory, monkeypatch):
    save_cache(directory, "key", tree, ENTRIES)
    monkeypatch.setattr("redis_guard.source.cache_file.__version__", "999")
    assert load_cache(directory, "key") == (Cache(), None)


def test_a_directory_of_our_own_is_hidden_from_git_and_backups(tree, directory, git, project):
    git("init", "-q")
    save_cache(directory, "key", tree, ENTRIES)
    assert (directory / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert git("status", "--porcelain") == ""


def test_a_directory_of_somebody_elses_gets_the_one_file_only(tree, directory):
    directory.mkdir()
    save_cache(directory, "key", tree, ENTRIES)
    assert [path.name for path in directory.iterdir()] == ["cache.bin"]


def test_missing_parents_are_made(tree, project):
    assert save_cache(project / "a/b/c", "key", tree, ENTRIES) is None
    assert load_cache(project / "a/b/c", "key")[0].entries() == ENTRIES


def test_the_file_is_written_only_when_it_changes(tree, directory):
    save_cache(directory, "key", tree, ENTRIES)
    before = file_in(directory).stat()
    save_cache(directory, "key", tree, dict(reversed(ENTRIES.items())))
    after = file_in(directory).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    save_cache(directory, "key", tree, {**ENTRIES, "c.py": entry()})
    assert file_in(directory).stat().st_ino != before.st_ino


def test_others_may_read_it_as_the_umask_says(tree, directory):
    mask = os.umask(0o022)
    try:
        save_cache(directory, "key", tree, ENTRIES)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(file_in(directory).stat().st_mode) == 0o644


def test_a_file_touched_within_two_seconds_of_the_look_is_not_trusted_by_its_stat(tree, directory):
    second = 1_000_000_000
    entries = {
        "long_ago.py": entry(stat=FileStat(5, SEEN - 3 * second, SEEN - 3 * second)),
        "just_now.py": entry(stat=FileStat(5, SEEN - second, SEEN - second)),
        "times_set_back.py": entry(stat=FileStat(5, SEEN - 9 * second, SEEN - second)),
        "from_the_future.py": entry(stat=FileStat(5, SEEN + second, SEEN - 9 * second)),
    }
    save_cache(directory, "key", tree, entries)
    kept = load_cache(directory, "key")[0].entries()
    assert {path for path in entries if kept[path].stat == entries[path].stat} == {"long_ago.py"}
    assert all(kept[path].stat.size == 5 for path in entries)


@pytest.mark.parametrize("year_ns", [1 << 63, -(1 << 64), 1 << 80])
def test_times_beyond_64_bits_are_not_trusted(tree, directory, year_ns):
    assert save_cache(directory, "key", tree, {"a.py": entry(stat=FileStat(5, year_ns, 7))}) is None
    assert load_cache(directory, "key")[0].entries()["a.py"].stat != FileStat(5, year_ns, 7)


def test_a_directory_that_cannot_be_made_is_one_warning(tree, project):
    (project / "file").write_text("")
    warning = save_cache(project / "file", "key", tree, ENTRIES)
    assert warning is not None
    assert warning.startswith("cache not written: ")
    assert "\n" not in warning
    assert save_cache(project / "file/below", "key", tree, ENTRIES) is not None
    assert load_cache(project / "file", "key")[0] == Cache()


def test_a_directory_in_the_files_place_is_one_warning_and_leaves_nothing_behind(tree, directory):
    file_in(directory).mkdir(parents=True)
    (file_in(directory) / "x").write_text("")
    cache, warning = load_cache(directory, "key")
    assert cache == Cache()
    assert warning is not None
    assert "not a regular file" in warning
    assert save_cache(directory, "key", tree, ENTRIES) is not None
    assert [path.name for path in directory.iterdir()] == ["cache.bin"]


def test_a_pipe_in_the_files_place_is_not_waited_for(directory):
    directory.mkdir()
    os.mkfifo(file_in(directory))
    assert load_cache(directory, "key")[1] is not None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_may_not_be_written_is_one_warning(tree, directory):
    directory.mkdir(mode=0o500)
    assert save_cache(directory, "key", tree, ENTRIES) is not None


def test_a_full_disk_is_one_warning_and_keeps_the_old_file(tree, directory, project):
    save_cache(directory, "key", tree, ENTRIES)
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
        "from redis_guard.source.cache import save_cache\n"
        "from redis_guard.source.tree import Tree\n"
        "print(save_cache(sys.argv[1], 'key', Tree('/', {}, 0), {}, (b's', b'r' * 999)))\n"
    )
    python = [sys.executable, "-c", code, str(directory)]
    done = subprocess.run(python, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("cache not written: ")
    assert load_cache(directory, "key")[0].entries() == ENTRIES
    assert len(list(directory.glob(".cache.bin*"))) == 0


@pytest.mark.parametrize("keep", [0, 1, 7, 8, 20, 28, 50, 99, -1, -10])
def test_a_truncated_cache_is_ignored_with_one_warning(tree, directory, keep):
    save_cache(directory, "key", tree, ENTRIES)
    file_in(directory).write_bytes(file_in(directory).read_bytes()[:keep])
    cache, warning = load_cache(directory, "key")
    assert cache == Cache()
    assert warning is not None
    assert "cache.bin: broken (" in warning
    assert "\n" not in warning


def test_no_flipped_bit_is_believed(tree, directory):
    save_cache(directory, "key", tree, ENTRIES, (b"settings", b"result"))
    sound = file_in(directory).read_bytes()
    for place in range(len(sound)):
        broken = bytearray(sound)
        broken[place] ^= 0x10
        file_in(directory).write_bytes(broken)
        assert load_cache(directory, "key")[0] == Cache(), place


def test_a_broken_cache_is_replaced_by_the_next_run(tree, directory):
    directory.mkdir()
    file_in(directory).write_bytes(b"RGCACHE\x01 nonsense")
    assert save_cache(directory, "key", tree, ENTRIES) is None
    assert load_cache(directory, "key")[0].entries() == ENTRIES


@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data):
    with pytest.raises(ValueError, match=r"short|not a cache"):
        read_columns(data, "key")


column = st.one_of(st.binary(max_size=50), st.integers(0, 3).map(lambda count: b"\0" * 16 * count))


@given(st.builds(Columns, *[column] * 9))
def test_columns_with_a_sound_checksum_are_refused_or_fit_together(columns):
    try:
        read = read_columns(write_columns(columns, "key"), "key")
    except ValueError:
        return
    assert read == columns
    assert len(Cache(columns).entries()) <= columns.count


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("paths", b"\0c.py"),
        ("stats", b"\0" * 24),
        ("digests", b"\0" * 16),
        ("mentions", b"\0"),
        ("imports", b"\n"),
        ("fact_lengths", b"\0" * 4),
        ("facts", b"x"),
        ("result_digest", b"x"),
    ],
)
def test_a_column_with_a_piece_too_many_is_refused(tree, directory, name, more):
    save_cache(directory, "key", tree, {"a.py": entry(), "b.py": entry(facts=b"facts")})
    columns = load_cache(directory, "key")[0].columns
    longer = replace(columns, **{name: getattr(columns, name) + more})
    file_in(directory).write_bytes(write_columns(longer, "key"))
    cache, warning = load_cache(directory, "key")
    assert cache == Cache()
    assert warning is not None


@given(st.integers(0, 2**64 - 1), st.integers(0, 8))
def test_lengths_that_lie_are_refused(length, place):
    data = bytearray(write_columns(Columns(*[b""] * 9), "key"))
    start = 28 + 8 * place
    data[start : start + 8] = length.to_bytes(8, "little")
    if length:
        with pytest.raises(ValueError, match="checksum"):
            read_columns(bytes(data), "key")
    else:
        assert read_columns(bytes(data), "key") == NOTHING


def test_runs_at_the_same_time_leave_one_sound_file(tree, directory):
    variants = [{f"{number}.py": entry(facts=b"f" * 10_000 * number)} for number in range(8)]
    warnings: list[str | None] = []
    writers = [
        threading.Thread(
            target=lambda entries: warnings.append(save_cache(directory, "key", tree, entries)), args=(v,)
        )
        for v in variants
    ]
    for writer in writers:
        writer.start()
    read = [load_cache(directory, "key") for _ in range(50)]
    for writer in writers:
        writer.join()
    assert warnings == [None] * 8
    assert all(warning is None for _, warning in read)
    assert load_cache(directory, "key")[0].entries() in variants
    assert [path.name for path in directory.glob("*.bin*")] == ["cache.bin"]
