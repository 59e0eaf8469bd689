import os
import re
from pathlib import Path

import pytest
from markdown_it.token import Token


@pytest.fixture
def targets(root: Path) -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_every_target_a_document_names_exists(targets: set[str], documents: dict[Path, list[Token]]) -> None:
    tokens = [token for found in documents.values() for token in found]
    code = [token.content for token in tokens if token.type.startswith(("code", "fence"))]
    named = {name for text in code for name in re.findall(r"\bmake ([a-z-]+)", text)}

    assert named >= {"demo", "test"}
    assert named <= targets


def test_every_target_is_explained(root: Path, targets: set[str]) -> None:
    explained = re.findall(
        r"^\| `make ([a-z-]+)`", (root / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE
    )

    assert set(explained) == targets


def test_ci_goes_through_the_same_doors_and_ends_with_the_tests(root: Path, targets: set[str]) -> None:
    script = root / ".ci" / "run"
    commands = [line for line in script.read_text(encoding="utf-8").splitlines() if line.startswith("make ")]

    assert os.access(script, os.X_OK)
    assert commands[-1] == "make test"
    assert {command.removeprefix("make ") for command in commands} <= targets
