import ast
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from markdown_it.token import Token

from redis_guard.check import check
from redis_guard.options import Options
from tests.generate import readme_rules

Project = Callable[..., Path]


@pytest.fixture
def readme(root: Path, documents: dict[Path, list[Token]]) -> list[Token]:
    return documents[root / "README.md"]


def _code(tokens: list[Token], info: str) -> list[str]:
    return [token.content for token in tokens if token.type == "fence" and token.info == info]


def test_it_can_be_read_in_one_sitting(root: Path) -> None:
    assert len((root / "README.md").read_text(encoding="utf-8").splitlines()) < 150


def test_its_python_parses(readme: list[Token]) -> None:
    examples = _code(readme, "python")

    assert examples
    for example in examples:
        ast.parse(example)


def test_its_first_example_is_reported_where_it_is_bad_alone(readme: list[Token], project: Project) -> None:
    """At default settings; whether direct calls are allowed is the project's decision."""
    bad, good = _code(readme, "python")[0].split("\n\n")
    setup = 'import redis\n\nr = redis.Redis()\nkey = "login:7"\n'
    root = project({"bad.py": f"{setup}{bad}", "good.py": f"{setup}{good}"})
    report = check(Options(paths=(str(root),), select=("ALL",), ignore=("RG1",), use_cache=False)).report
    assert {(finding.path, finding.code) for finding in report.findings} == {("bad.py", "RG202")}


def test_its_yaml_loads(readme: list[Token]) -> None:
    examples = _code(readme, "yaml")

    assert all(yaml.safe_load(example) for example in examples)
    assert len(examples) == 2


def test_its_table_of_rules_is_current() -> None:
    pytest.importorskip("redis_guard.rules")

    assert readme_rules.README.read_text(encoding="utf-8") == readme_rules.current(), "run `make update`"
