"""Three doors, one answer: command line, flake8 and pre-commit say the same of the shop."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
SHOP = REPOSITORY / "fixtures" / "projects" / "shop"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHOP, tmp_path / "shop"))


def lines(text: str) -> set[str]:
    """`path:line:column: CODE message`, without RG00x, which belong to the command line."""
    rows = {line.removeprefix("./") for line in text.splitlines() if ": RG" in line}
    return {row for row in rows if ": RG00" not in row}


def of_cli(run: Run, root: Path, *paths: str) -> set[str]:
    done = run("check", "--output-format", "concise", *paths, cwd=root)
    assert done.returncode == 1, done.stderr
    return lines(done.stdout)


def of_flake8(run: Run, root: Path, *arguments: str, stdin: str | None = None) -> set[str]:
    done = run("--select", "RG", "--isolated", *arguments, cwd=root, program=("-m", "flake8"), stdin=stdin)
    assert done.stderr == ""
    return lines(done.stdout)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_flake8_says_what_the_command_line_says(run: Run, shop: Path, jobs: str) -> None:
    assert of_flake8(run, shop, "-j", jobs, ".") == of_cli(run, shop)


def test_flake8_on_standard_input_says_what_the_command_line_says_of_the_file(run: Run, shop: Path) -> None:
    expected = of_cli(run, shop)
    checked = 0
    for path in sorted({row.split(":")[0] for row in expected})[:4]:
        text = (shop / path).read_text()
        found = of_flake8(run, shop, "--stdin-display-name", path, "-", stdin=text)
        assert found == {row for row in expected if row.startswith(path + ":")}
        checked += 1
    assert checked


def test_flake8_on_standard_input_sees_the_unsaved_text(run: Run, shop: Path) -> None:
    path = "shop/orders.py"
    text = "\n\n" + (shop / path).read_text()
    before = {int(row.split(":")[1]) for row in of_cli(run, shop, path)}
    found = of_flake8(run, shop, "--stdin-display-name", path, "-", stdin=text)
    assert {int(row.split(":")[1]) for row in found} == {line + 2 for line in before}


def test_one_file_at_a_time_says_the_same_as_all_at_once(run: Run, shop: Path) -> None:
    """As pre-commit does: some files are named, the whole project is known."""
    expected = of_cli(run, shop)
    paths = sorted({row.split(":")[0] for row in expected})
    found = set().union(*(of_cli(run, shop, path) for path in paths))
    assert found == expected


def test_a_misspelt_use_case_is_found_through_all_three_doors(run: Run, shop: Path) -> None:
    path = "shop/tasks/settlement.py"
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    program, *arguments = next(hook["entry"] for hook in hooks if hook["id"] == "redis-guard").split()
    assert program == "redis-guard"
    hook = run(*arguments, "--output-format", "concise", path, cwd=shop)
    doors = [of_cli(run, shop), of_flake8(run, shop, path), lines(hook.stdout)]
    told = [[row for row in door if " RG501 " in row] for door in doors]
    assert told[0] == told[1] == told[2]
    (row,) = told[0]
    assert row.startswith(f'{path}:13:14: RG501 "order_setlement" is no registered use case')
    assert 'did you mean "order_settlement"?' in row


def test_a_mistake_in_the_configuration_ends_flake8_with_its_line(run: Run, shop: Path) -> None:
    (shop / "pyproject.toml").write_text("[tool.redis-guard]\nselekt = 1\n")
    done = run("--select", "RG", ".", cwd=shop, program=("-m", "flake8"))
    assert "unknown key" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_the_plugin_is_known_to_flake8() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "flake8", "--version"], capture_output=True, text=True, check=True
    )
    assert "redis-guard" in done.stdout
