"""`[tool.redis-guard.severity]`: what a project finds how bad, through every door."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

BAD = "import redis\n\nr = redis.Redis()\n\n\ndef work(name):\n    return r.keys(name)\n"
STALE = "x = 1  # redis-guard: allow[RG301] nothing is here any more\n"
BARE = BAD.replace("r.keys(name)", "r.keys(name)  # redis-guard: allow[RG701]")
SHARED = "version: 1\nowners: {a: {contact: x}, b: {contact: y}}\nkeyspaces:\n" + "".join(
    f'  "s:{name}:{{id}}": {{class: cache, owner: {name}, ttl: 1h, description: Some things}}\n'
    for name in "ab"
)


def config(severity: str, select: str) -> str:
    return f'[tool.redis-guard]\nselect = ["{select}"]\n[tool.redis-guard.severity]\n{severity}\n'


@pytest.mark.parametrize("rule", ["RG701", "RG7", "keys-command", "ALL"])
@pytest.mark.parametrize(("severity", "status"), [("error", 1), ("warning", 1), ("note", 0)])
def test_a_rule_has_the_severity_that_the_project_gives_it(
    project: Project, run: Run, rule: str, severity: str, status: int
) -> None:
    root = project({"app.py": BAD}, config(f'{rule} = "{severity}"', "RG701"))
    done = run("check", "--output-format", "json", cwd=root)
    assert [finding["severity"] for finding in json.loads(done.stdout)["findings"]] == [severity]
    assert done.returncode == status
    assert run("check", "--fail-on", severity, cwd=root).returncode == 1


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("RG001", {"app.py": "import redis\n)\n"}),
        ("RG002", {"app.py": STALE}),
        ("RG003", {"app.py": BARE}),
        ("RG507", {"redis_guard.yaml": SHARED, "app.py": "x = 1\n"}),
    ],
)
def test_findings_about_files_allows_and_the_registry_have_it_too(
    project: Project, run: Run, code: str, files: dict[str, str]
) -> None:
    other = "note" if code != "RG507" else "error"
    root = project(files, config(f'{code} = "{other}"', f'{code}", "RG301'))
    done = run("check", "--output-format", "json", cwd=root)
    assert {(f["code"], f["severity"]) for f in json.loads(done.stdout)["findings"]} == {(code, other)}
    assert done.returncode == (1 if other == "error" else 0)


def test_an_allow_table_without_effect_and_a_stale_entry_have_it_too(project: Project, run: Run) -> None:
    table = '[[tool.redis-guard.allow]]\npaths = ["a.py"]\nrules = ["RG701"]\nreason = "it was here once"\n'
    settings = config('RG002 = "error"', 'RG002", "RG701') + table
    entry = {"path": "app.py", "function": "", "rule": "RG002", "code": "", "nth": 1}
    files = {
        "app.py": "x = 1\n",
        ".redis-guard-baseline.json": json.dumps({"version": 1, "entries": [entry]}),
    }
    done = run("check", "--output-format", "json", cwd=project(files, settings))
    found = json.loads(done.stdout)["findings"]
    assert [(f["path"], f["severity"]) for f in found] == [
        (".redis-guard-baseline.json", "error"),
        ("pyproject.toml", "error"),
    ]


def test_flake8_and_the_command_line_refuse_a_rule_that_does_not_exist(project: Project, run: Run) -> None:
    root = project({"app.py": BAD}, config('keys-comand = "note"', "RG701"))
    check = run("check", cwd=root)
    flake8 = run("--select", "RG", "--isolated", "app.py", cwd=root, program=("-m", "flake8"))
    assert (check.returncode, flake8.returncode) == (2, 1)
    for text in (check.stderr, flake8.stdout + flake8.stderr):
        assert "pyproject.toml:4: no rule is called 'keys-comand'; did you mean \"keys-command\"?" in text
        assert "Traceback" not in text


def test_a_severity_that_does_not_exist_is_refused_at_its_line(project: Project, run: Run) -> None:
    done = run("check", cwd=project({}, config('RG701 = "info"', "RG701")))
    assert done.returncode == 2
    assert 'pyproject.toml:4: severity: "RG701" cannot be "info"' in done.stderr
