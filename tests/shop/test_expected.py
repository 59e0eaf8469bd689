"""The golden file of the shop is well formed; the checker itself is held to it elsewhere."""

import ast
import re
from pathlib import Path

import pytest
import yaml

SHOP = Path(__file__).resolve().parents[2] / "fixtures" / "projects" / "shop"
LINE = re.compile(r"(?P<path>[\w/]+\.py):(?P<line>\d+): (?P<code>RG\d{3}) (?P<name>[a-z]+(-[a-z]+)*)")


@pytest.fixture(scope="module")
def expected() -> list[tuple[str, int, str, str]]:
    lines = (SHOP / "expected.txt").read_text(encoding="utf-8").splitlines()
    matches = [LINE.fullmatch(line) for line in lines]
    return [(m["path"], int(m["line"]), m["code"], m["name"]) for m in matches if m] if all(matches) else []


def test_findings_are_sorted_and_said_once(expected: list[tuple[str, int, str, str]]) -> None:
    assert expected
    assert expected == sorted(set(expected))


def test_each_finding_points_at_code(expected: list[tuple[str, int, str, str]]) -> None:
    for path, line, _, _ in expected:
        assert (SHOP / path).read_text(encoding="utf-8").splitlines()[line - 1].strip(), f"{path}:{line}"


def test_a_code_has_one_name(expected: list[tuple[str, int, str, str]]) -> None:
    names = {(code, name) for _, _, code, name in expected}

    assert len({code for code, _ in names}) == len(names)


def test_the_shop_is_python() -> None:
    modules = sorted(SHOP.rglob("*.py"))

    assert len(modules) >= 15
    for module in modules:
        ast.parse(module.read_text(encoding="utf-8"), filename=str(module))


def test_its_code_does_not_give_the_faults_away() -> None:
    marked = [path for path in SHOP.rglob("*.py") if re.search(r"# RG\d", path.read_text(encoding="utf-8"))]

    assert marked == []


def test_its_registry_has_two_owners_four_use_cases_and_three_keyspaces() -> None:
    registry = yaml.safe_load((SHOP / "redis_guard.yaml").read_text(encoding="utf-8"))

    assert [len(registry[part]) for part in ("owners", "use_cases", "keyspaces")] == [2, 4, 3]
