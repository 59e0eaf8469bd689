"""A table that is called nearly as ours is told, and never taken for nobody's."""

from pathlib import Path

import pytest

from redis_guard.config import ConfigError, load_config


def loaded(folder: Path, text: str) -> str:
    (folder / ".git").mkdir()
    (folder / "pyproject.toml").write_text(text)
    try:
        load_config(folder)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "name", ["redisguard", "redis_guard", "redis-guards", "redis-gaurd", "redis-gard", "Redis-Guard"]
)
@pytest.mark.parametrize(
    "text",
    [
        "[tool.{name}]\nselect = ['RG1']\n",
        "[tool.redis-guard]\nselect = ['RG1']\n\n[tool.{name}]\nignore = ['RG101']\n",
        "[[tool.{name}.allow]]\npaths = ['a']\n",
        '[tool . "{name}"]\n',
    ],
)
def test_a_misspelt_table_is_told_with_its_line(tmp_path: Path, name: str, text: str) -> None:
    line = text[: text.index("{name}")].count("\n") + 1
    said = loaded(tmp_path, text.format(name=name))
    assert said.endswith(f":{line}: unknown table [tool.{name}]; did you mean [tool.redis-guard]?")


@pytest.mark.parametrize(
    "name", ["redis", "redis-om", "guard", "redis-guard-extra", "ruff", "coverage", "bandit"]
)
def test_other_tools_have_tables_too(tmp_path: Path, name: str) -> None:
    assert loaded(tmp_path, f"[tool.{name}]\nselect = ['RG1']\n[tool.redis-guard]\n") == ""
