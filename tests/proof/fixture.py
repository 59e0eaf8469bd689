"""The pairs in `fixtures/fixes`: a program with a fault, and what its fix is to make of it.

`rgNNN_bad_thing/NAME.py` begins with a docstring in YAML, the head, which the fixed program has as well:

    entry: function, or an expression in the program's names that gives one
    safety: safe | unsafe
    withheld: why no fix is offered, instead of safety
    requires: least Redis that the fixed program needs, as a string
    target-server: what the fixer is told about the server, if anything
    runs: no, with the reason, for a program that cannot be run here
    inputs, prior, assumes, waives, differs, gives, unordered, atomic: see `Claim`

Beside it lies `NAME.fixed.py`, or `NAME.wrong.py`: what the fix that is withheld would have made of it.

Law of this file: a head that says anything unknown is an error that names the file.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.proof.claim import Claim, Safety
from tests.proof.gate import numbers
from tests.proof.program import Program
from tests.proof.prove import Pair

FOLDER = Path(__file__).parents[2] / "fixtures" / "fixes"
_OWN = frozenset(("entry", "safety", "withheld", "requires", "target-server", "runs"))
_CLAIMED = frozenset(("inputs", "prior", "assumes", "waives", "differs", "gives", "unordered", "atomic"))
_HARMFUL = frozenset(("RG201", "RG202", "RG203", "RG204", "RG205"))
"""Rules about what a crash leaves behind."""
_LASTING = _HARMFUL | {"RG206", "RG302", "RG303"}
"""Rules after whose fixes nothing is to be left without a lifetime."""


@dataclass(frozen=True)
class Fixture:
    path: Path
    rule: str
    safety: Safety | None
    """None if the fix is withheld."""
    withheld: str
    requires: str
    target_server: str
    idle: str
    """Why it cannot be run here; empty if it can."""
    claim: Claim | None

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def original(self) -> bytes:
        return self.path.read_bytes()

    @property
    def expected(self) -> bytes:
        """What the fixer is to make of it: itself, if the fix is withheld."""
        return self.original if self.withheld else self._beside("fixed").read_bytes()

    @property
    def wrong(self) -> bytes | None:
        """What a fixer that knew less would have made of it."""
        path = self._beside("wrong")
        return path.read_bytes() if path.exists() else None

    def pair(self, fixed: bytes) -> Pair:
        assert self.claim is not None, f"{self.name} claims nothing"
        return Pair(self._program(self.original), self._program(fixed), self.claim)

    def _program(self, text: bytes) -> Program:
        assert self.claim is not None
        return Program(text, self.claim.entry, self.name)

    def _beside(self, what: str) -> Path:
        return self.path.with_name(f"{self.path.stem}.{what}.py")


def load(folder: Path = FOLDER) -> list[Fixture]:
    """All fixtures in order of their names; raises ValueError with the file for a head that is wrong."""
    paths = sorted(
        path for path in folder.glob("*/*.py") if not re.search(r"\.(fixed|wrong)\.py$", path.name)
    )
    return [_load(path) for path in paths]


def _load(path: Path) -> Fixture:
    try:
        return _fixture(path, _head(path.read_bytes()))
    except (ValueError, TypeError, SyntaxError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from error


def _head(text: bytes) -> Mapping[str, Any]:
    head = yaml.safe_load(ast.get_docstring(ast.parse(text)) or "")
    if not isinstance(head, dict):
        raise ValueError("it begins with no docstring in YAML")
    if unknown := head.keys() - _OWN - _CLAIMED:
        raise ValueError(f"its head says {', '.join(sorted(unknown))}, which nobody knows")
    return head


def _fixture(path: Path, head: Mapping[str, Any]) -> Fixture:
    rule = path.parent.name.partition("_")[0].upper()
    withheld = head.get("withheld", "")
    if bool(withheld) == ("safety" in head):
        raise ValueError("it says either how safe the fix is or why it is withheld")
    if path.with_name(f"{path.stem}.fixed.py").exists() == bool(withheld):
        raise ValueError("NAME.fixed.py stands beside it if, and only if, there is a fix")
    for version in (head.get("requires"), head.get("target-server")):
        if version is not None:
            numbers(version)
    claim = None
    if "entry" in head:
        claimed = {name: head[name] for name in _CLAIMED & head.keys()}
        for name in ("waives", "differs"):
            claimed[name] = frozenset(claimed.get(name, ()))
        # A wrong fix is one that claims to be safe.
        claim = Claim(
            entry=head["entry"],
            safety=head.get("safety", "safe"),
            lasting=rule in _LASTING,
            harmful=rule in _HARMFUL,
            **claimed,
        )
    return Fixture(
        path=path,
        rule=rule,
        safety=head.get("safety"),
        withheld=withheld,
        requires=head.get("requires", ""),
        target_server=head.get("target-server", ""),
        idle=head.get("runs", ""),
        claim=claim,
    )
