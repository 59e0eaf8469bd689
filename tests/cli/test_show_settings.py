"""`check --show-settings`: what holds for a run, and who said so."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redis_guard.config.keys import KEYS

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

CONFIG = """[tool.redis-guard]
registry = ["keys/*.yaml"]
ignore = [
    "RG8",
]
fail-on = "error"
severity = { RG7 = "note", RG701 = "warning" }

[[tool.redis-guard.allow]]
paths = ["infra"]
rules = ["RG1"]
reason = "the one place for clients"
"""
FILE = {"kind": "file", "path": "pyproject.toml"}
DEFAULT = {"kind": "default"}


@pytest.fixture
def root(project: Project) -> Path:
    return project(
        {
            "keys/b.yaml": "version: 1\n",
            "keys/a.yaml": "version: 1\n",
            "app.py": "import redis\n\nredis.Redis().keys()\n",
        },
        CONFIG,
    )


@pytest.fixture
def shown(root: Path, run: Run) -> Callable[..., dict[str, Any]]:
    def show(*arguments: str) -> dict[str, Any]:
        done = run("check", "--show-settings", "--output-format", "json", *arguments, cwd=root)
        assert (done.returncode, done.stderr) == (0, "")
        document: dict[str, Any] = json.loads(done.stdout)
        document["settings"] = {row["name"]: (row["value"], row["from"]) for row in document["settings"]}
        return document

    return show


def test_every_setting_is_there(shown: Callable[..., dict[str, Any]]) -> None:
    names = {name.partition(".")[0] for name in shown()["settings"]}
    assert names == set(KEYS)


def test_what_a_file_says_has_its_line(root: Path, shown: Callable[..., dict[str, Any]]) -> None:
    document = shown()
    settings = document["settings"]
    assert (document["version"], document["root"], document["source"]) == (1, str(root), "pyproject.toml")
    assert settings["registry"] == (["keys/a.yaml", "keys/b.yaml"], [{**FILE, "line": 2}])
    assert settings["ignore"] == (["RG8"], [{**FILE, "line": 3}])
    assert settings["fail-on"] == ("error", [{**FILE, "line": 6}])
    assert settings["severity.RG7"] == ("note", [{**FILE, "line": 7}])
    assert settings["allow.0"][0]["reason"] == "the one place for clients"
    assert settings["allow.0"][1] == [{**FILE, "line": 9}]
    assert settings["allow.tests"][1] == [DEFAULT]
    assert settings["baseline"] == (".redis-guard-baseline.json", [DEFAULT])
    assert settings["target-server"] == ("6.2", [DEFAULT])


def test_the_command_line_replaces_or_adds(shown: Callable[..., dict[str, Any]]) -> None:
    options = ("--select", "RG1", "--ignore", "RG102", "--fail-on", "note", "--jobs", "3", "--no-cache")
    settings = shown(*options, "--baseline", "b.json")["settings"]

    def option(name: str) -> list[dict[str, str]]:
        return [{"kind": "command line", "option": name}]

    assert settings["select"] == (["RG1"], option("--select"))
    assert settings["ignore"] == (["RG8", "RG102"], [{**FILE, "line": 3}, *option("--ignore")])
    assert settings["fail-on"] == ("note", option("--fail-on"))
    assert settings["jobs"] == (3, option("--jobs"))
    assert settings["baseline"] == ("b.json", option("--baseline"))
    assert settings["cache-dir"] == (None, option("--no-cache"))


def test_every_rule_is_there_with_its_severity_and_whether_it_is_on(
    shown: Callable[..., dict[str, Any]],
) -> None:
    rules = {rule["code"]: rule for rule in shown("--ignore", "RG702")["rules"]}
    assert (rules["RG701"]["severity"], rules["RG701"]["severity_from"]["kind"]) == ("warning", "file")
    assert (rules["RG702"]["severity"], rules["RG702"]["on"]) == ("note", False)
    assert (rules["RG101"]["severity"], rules["RG101"]["severity_from"]) == ("error", DEFAULT)
    assert rules["RG507"]["on"] is False


def test_people_see_one_line_each(root: Path, run: Run) -> None:
    done = run("check", "--show-settings", "--ignore", "RG7", cwd=root)
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if line)
    assert rows["root"] == str(root)
    assert rows["registry"] == "keys/a.yaml, keys/b.yaml [pyproject.toml:2]"
    assert rows["select"] == "what is on by default [default]"
    assert rows["ignore"] == "RG8, RG7 [pyproject.toml:3, --ignore]"
    assert rows["severity.RG7"] == "note [pyproject.toml:7]"
    assert rows["RG702"].split() == ["note", "flush", "[pyproject.toml:7]"]
    assert done.returncode == 0


def test_without_a_table_everything_is_default(tmp_path: Path, run: Run) -> None:
    (tmp_path / ".git").mkdir()
    done = run("check", "--show-settings", "--output-format", "json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert document["source"] is None
    assert all(row["from"] == [DEFAULT] for row in document["settings"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--select", "RG999"), "--select: no rule is called 'RG999'"),
        (("--output-format", "concise"), "text or json"),
    ],
)
def test_what_check_refuses_it_refuses_too(
    root: Path, run: Run, arguments: tuple[str, ...], said: str
) -> None:
    done = run("check", "--show-settings", *arguments, cwd=root)
    assert done.returncode == 2
    assert said in done.stderr
