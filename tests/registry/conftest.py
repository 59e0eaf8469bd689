"""Registries with marked places.

A mark such as ① in a registry's text stands right before the place that a message must name; it is taken
out before the file is read. In an expected line the same mark is that place. So nobody counts columns.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.registry import RegistryError, load_registry

MARKS = "①②③④⑤⑥⑦⑧⑨"

Tell = Callable[..., None]


@pytest.fixture
def tells(tmp_path: Path) -> Tell:
    """`tells(text, …, lines=[…])`: loading the files of these texts says exactly these lines."""

    def check(*texts: str, lines: list[str]) -> None:
        places: dict[str, str] = {}
        paths = []
        for name, text in zip("FG", texts, strict=False):
            path = tmp_path / name
            path.write_text(_unmarked(path.as_posix(), text, places), encoding="utf-8")
            paths.append(path)
        with pytest.raises(RegistryError) as caught:
            load_registry(paths)
        expected = [_marked(line, places) for line in lines]
        assert str(caught.value).split("\n") == expected
        assert [str(problem) for problem in caught.value.problems] == expected

    return check


def _unmarked(path: str, text: str, places: dict[str, str]) -> str:
    rows = []
    for number, row in enumerate(text.split("\n"), 1):
        for mark in MARKS:
            if mark in row:
                column = sum(character not in MARKS for character in row[: row.index(mark)]) + 1
                places[mark] = f"{path}:{number}:{column}"
        rows.append("".join(character for character in row if character not in MARKS))
    return "\n".join(rows)


def _marked(line: str, places: dict[str, str]) -> str:
    head, rest = line[0], line[1:]
    return f"{places[head]}:{''.join(places.get(character, character) for character in rest)}"
