"""The baseline on disk."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.silence.baseline import Baseline, Entry
from redis_guard.silence.baseline_file import BaselineError, dump, load, save

any_text = st.text(st.characters(codec=None), max_size=20)
entries = st.builds(Entry, any_text, any_text, any_text, any_text, st.integers(1, 9))


@given(st.lists(entries))
def test_what_is_saved_is_loaded(tmp_path_factory, items):
    path = tmp_path_factory.mktemp("baseline") / "b.json"
    baseline = Baseline("b.json", tuple(sorted(set(items))))
    save(path, baseline)
    assert load(path, "b.json") == baseline


def test_an_entry_has_a_line_of_its_own_and_knows_it(tmp_path):
    entries = (Entry("a.py", "f", "RG101", '{"path"', 1), Entry("b.py", "", "RG101", "r . get ( )", 1))
    path = tmp_path / "b.json"
    save(path, Baseline("b.json", entries))
    lines = path.read_text().splitlines()
    for entry in load(path, "b.json").entries:
        assert json.loads(lines[entry.line - 1].rstrip(","))["path"] == entry.path


def test_the_order_is_stable():
    one, two = Entry("a.py", "f", "RG101", "x", 1), Entry("a.py", "f", "RG101", "x", 2)
    assert dump(Baseline("b.json", (two, one, two))) == dump(Baseline("b.json", (one, two)))


def test_an_empty_one_is_valid(tmp_path):
    path = tmp_path / "b.json"
    save(path, Baseline("b.json"))
    assert load(path, "b.json").entries == ()


def test_another_tools_layout_is_read_too(tmp_path):
    path = tmp_path / "b.json"
    entry = {"nth": 1, "rule": "RG101", "path": "a.py", "code": "x", "function": "f"}
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"entries": [entry], "version": 1}).encode())
    (found,) = load(path, "b.json").entries
    assert (found, found.line) == (Entry("a.py", "f", "RG101", "x", 1), 1)


GOOD = '{"path": "a.py", "function": "", "rule": "RG101", "code": "x", "nth": 1}'
BAD = {
    "not JSON": (b'{"version": 1,\n"entries": [}', ".b.json:2: not JSON"),
    "an empty file": (b"", ".b.json:1: not JSON"),
    "another shape": (b"[]", ".b.json:1: not a baseline"),
    "no entries": (b'{"version": 1}', ".b.json:1: not a baseline"),
    "a later version": (b'{"version": 2, "entries": []}', ".b.json:1: version 2 is none"),
    "no version": (b'{"entries": []}', ".b.json:1: version None is none"),
    "bytes that are no text": (b"\xff\xfe\x00", ".b.json: not UTF-8"),
    "an entry without a rule": (
        f'{{"version": 1, "entries": [\n{GOOD},\n{{"path": "a.py"}}\n]}}'.encode(),
        ".b.json:3: an entry needs path, function, rule, code and nth",
    ),
    "an entry of another type": (
        f'{{"version": 1, "entries": [\n{GOOD.replace("1}", "true}")[:-5]}"1"}}]}}'.encode(),
        ".b.json:2: an entry needs",
    ),
    "a merge conflict": (
        f'{{"version": 1, "entries": [\n<<<<<<< HEAD\n{GOOD}\n=======\n{GOOD}\n>>>>>>> x\n]}}'.encode(),
        ".b.json:2: a merge conflict",
    ),
    "brackets without end": (b"[" * 100_000, ".b.json:1: not"),
}


@pytest.mark.parametrize("title", BAD)
def test_a_file_that_cannot_be_trusted_is_one_clear_line_with_a_way_out(title, tmp_path):
    content, beginning = BAD[title]
    path = tmp_path / ".b.json"
    path.write_bytes(content)
    with pytest.raises(BaselineError) as raised:
        load(path, ".b.json")
    message = str(raised.value)
    assert message.startswith(beginning)
    assert "--write-baseline" in message
    assert "\n" not in message


def test_a_missing_file_and_a_directory_are_named(tmp_path):
    with pytest.raises(BaselineError, match="no such file"):
        load(tmp_path / "none.json", "none.json")
    with pytest.raises(BaselineError, match="cannot be read"):
        load(tmp_path, "folder")
