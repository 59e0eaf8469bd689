"""What goes wrong inside a rule is told, and costs nothing else."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from redis_guard import judging
from redis_guard.check import check
from redis_guard.options import Options
from redis_guard.report.sarif import render
from redis_guard.rule import OfModule, OfProject, Report
from redis_guard.rules import load_rules


def _breaks(*_: Any) -> Iterator[Report]:
    raise ZeroDivisionError("by nothing")


def _broken(code: str) -> list[Any]:
    return [
        replace(rule, scope=type(rule.scope)(_breaks)) if rule.code == code else rule for rule in load_rules()
    ]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "app.py").write_text("import redis\nr = redis.Redis()\nr.flushall()\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_of_a_rule_for_files_the_file_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "load_rules", lambda: _broken("RG104"))
    outcome = check(Options(use_cache=False))

    found = {finding.code: finding.message for finding in outcome.report.findings}
    assert "RG104 could not judge this file (internal error: ZeroDivisionError: by nothing)" in found["RG001"]
    assert "RG702" in found


def test_of_a_rule_for_projects_a_note_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "load_rules", lambda: _broken("RG401"))
    outcome = check(Options(use_cache=False))

    assert any("RG401 could not judge the project" in note for note in outcome.notes)
    assert "RG702" in {finding.code for finding in outcome.report.findings}


def test_the_rules_that_are_broken_here_are_of_these_kinds() -> None:
    kinds = {rule.code: type(rule.scope) for rule in load_rules()}

    assert (kinds["RG104"], kinds["RG401"]) == (OfModule, OfProject)


@pytest.mark.parametrize("code", ["RG104", "RG401"])
def test_sarif_does_not_call_such_a_run_a_success(
    project: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Nor one whose judgement was remembered."""
    monkeypatch.setattr(judging, "load_rules", lambda: _broken(code))
    for _ in range(2):
        out = StringIO()
        render(check(Options()).report, out)
        (invocation,) = json.loads(out.getvalue())["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is False
        (told,) = invocation["toolExecutionNotifications"]
        assert f"{code} could not judge" in told["message"]["text"]


def test_a_file_that_is_no_python_is_no_failure_of_the_tool(project: Path) -> None:
    (project / "app.py").write_text("import redis\nr.get(\n")
    out = StringIO()
    render(check(Options(use_cache=False)).report, out)
    (invocation,) = json.loads(out.getvalue())["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is True
    assert len(invocation["toolExecutionNotifications"]) == 1
