from pathlib import Path
from typing import get_args

from redis_guard.registry import keyspaces, settings, use_cases
from redis_guard.registry.model import Primitive
from tests.docs.snippets import run_page


def test_what_the_page_shows_happens(root: Path, tmp_path: Path) -> None:
    run_page(root / "docs" / "registry.md", tmp_path)


def rows(root: Path, heading: str) -> dict[str, str]:
    """Field and second column of the table rows below a heading."""
    text = (root / "docs" / "registry.md").read_text(encoding="utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.split("|") for line in part.splitlines() if line.startswith("| `")]
    return {name.strip("` "): row[2].strip() for row in cells for name in row[1].split(",")}


def test_every_field_of_a_use_case_has_its_row_with_its_primitives(root: Path) -> None:
    primitives = get_args(Primitive)
    expected = dict.fromkeys(use_cases.COMMON, "all")
    for own in use_cases.OWN.values():
        for field in own:
            expected[field] = ", ".join(name for name in primitives if field in use_cases.OWN[name])
    described = rows(root, "Use cases")
    assert {field: described.get(field) for field in expected} == expected
    assert set(described) == {*expected, *primitives}


def test_every_other_field_has_its_row(root: Path) -> None:
    assert set(rows(root, "Keyspaces")) == set(keyspaces.FIELDS)
    assert set(rows(root, "The top of the file")) == {"version", *settings.SETTINGS}
