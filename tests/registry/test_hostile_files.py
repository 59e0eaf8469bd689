"""Files that would exhaust time, memory or the stack, or cannot be read at all (marks: see conftest)."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from redis_guard.registry import RegistryError, load_registry

Tell = Callable[..., None]

OWNERS = 'owners: {web: {contact: "#web"}}\n'


def test_nesting_is_bounded(tells: Tell) -> None:
    text = "version: 1\nowners: " + "[" * 19 + "①[" + "[" * 100 + "\n"
    tells(text, lines=["① nested deeper than 20 levels"])


def test_a_file_is_bounded(tells: Tell) -> None:
    tells(
        "①version: 1\n#" + " " * 1_048_576,
        lines=["① a registry file has at most 1,048,576 characters; split it"],
    )


def test_aliases_cannot_blow_up(tells: Tell) -> None:
    # Each level is ten times the one below, so l4 stands for 21,111 values, and the fourth of them in l5
    # goes past 100,000.
    level = "  - &l{} [{}]\n"
    levels = [level.format(n, ", ".join([f"*l{n - 1}"] * 10)) for n in range(1, 10)]
    levels[4] = level.format(5, "*l4, *l4, *l4, ①*l4, *l4")
    text = "version: 1\nowners:\n  - &l0 [x]\n" + "".join(levels)
    tells(text, lines=["① more than 100,000 values, aliases counted in full"])


@pytest.mark.parametrize("parser", ["CSafeLoader", "SafeLoader"])
def test_broken_syntax_is_one_line_at_the_place_where_reading_stops(
    parser: str, tells: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parser == "SafeLoader":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    detail = "here" if parser == "SafeLoader" or not yaml.__with_libyaml__ else "in this context"
    tells(
        "version: 1\nowners:\n  web: contact①: x\n",
        lines=[f"① not valid YAML: mapping values are not allowed {detail}"],
    )


def test_files_that_cannot_be_read_are_one_line_each(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("version: 1\n# é\n".encode("latin-1"))
    paths = [tmp_path / "missing.yaml", tmp_path, tmp_path / "latin.yaml"]
    with pytest.raises(RegistryError) as caught:
        load_registry(paths)
    folder = tmp_path.as_posix()
    assert str(caught.value).split("\n") == [
        f"{folder}/missing.yaml:1:1: cannot be read: No such file or directory",
        f"{folder}:1:1: cannot be read: Is a directory",
        f"{folder}/latin.yaml:2:3: the byte 0xE9 is not UTF-8; save the file in that encoding",
    ]


def test_the_report_of_overlaps_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "redis_guard.yaml"
    space = "{class: cache, owner: web, ttl: 1h, description: Things}"
    spaces = "".join(f"  '{{a}}:{{b}}:{{c{n}}}': {space}\n" for n in range(60))
    path.write_text(f"version: 1\n{OWNERS}keyspaces:\n{spaces}")
    with pytest.raises(RegistryError) as caught:
        load_registry([path])
    assert len(caught.value.problems) == 1_000
    assert {problem.kind for problem in caught.value.problems} == {"overlapping-keys"}


ROWS = (
    *("version: 1", "owners:", "use_cases:", "keyspaces:", "limits: {elements: 5}"),
    *("  a:", "  a: {", "}", "    primitive: lock", "    ttl: 1h", "  'k:{id}': {ttl: none}"),
    *("&x", "*x", "<<: *x", "- a", "[", "]", "'", "? a", "!!set"),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ROWS)))
def test_whatever_is_written_the_answer_is_a_registry_or_a_line_for_each_problem(rows: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "redis_guard.yaml"
        path.write_text("\n".join(rows))
        try:
            load_registry([path])
        except RegistryError as error:
            assert len(str(error).split("\n")) == len(error.problems)
