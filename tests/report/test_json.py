"""The JSON of `check`, version 1."""

import io
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from redis_guard.report import renderer

PUBLISHED = json.loads(
    (Path(__file__).parents[2] / "docs" / "check-report.schema.json").read_text(encoding="utf-8")
)


def closed(schema):
    """The schema without room for fields that it does not name: readers leave that room, the writer does not."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(value) for key, value in schema.items()}
    return {"additionalProperties": False, **parts} if isinstance(schema.get("properties"), dict) else parts


def rendered(report):
    out = io.StringIO()
    renderer("json")(report, out)
    return out.getvalue()


@pytest.mark.parametrize("show_suppressed", [True, False])
def test_it_is_what_the_published_schema_says_and_no_more(report, show_suppressed):
    document = json.loads(rendered(replace(report, show_suppressed=show_suppressed)))
    jsonschema.validate(document, closed(PUBLISHED))


def test_a_finding_carries_everything_that_is_known_of_it(report):
    first = json.loads(rendered(report))["findings"][0]
    assert first["code"] == "RG202"
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (6, 36, 6, 56)
    assert (first["method"], first["command"], first["key"]) == ("incr", "INCR", "登录:{who}")
    assert first["use_case"] == "login-limit"
    assert first["related"][1] == {
        "path": "app/window.py",
        "line": 2,
        "column": 5,
        "message": "and also here",
    }
    assert first["fix"]["edits"][1] == {
        "start": {"line": 7, "column": 1},
        "end": {"line": 9, "column": 1},
        "text": "",
    }
    assert first["fingerprint"] == "0123456789abcdef0123"
    assert first["help"] == "redis-guard rule RG202"


def test_the_summary_counts_what_is_open_and_what_is_not(report):
    assert json.loads(rendered(report))["summary"] == {
        "files": 812,
        "analysed": 41,
        "findings": 4,
        "suppressed": 1,
        "baseline": 1,
        "by_rule": {"RG001": 1, "RG102": 1, "RG202": 1, "RG401": 1},
    }


def test_suppressed_findings_are_listed_on_demand_and_never_counted(report):
    plain, full = (json.loads(rendered(replace(report, show_suppressed=show))) for show in (False, True))
    assert [finding["suppressed"] for finding in plain["findings"]] == [None] * 4
    assert [finding["suppressed"] for finding in full["findings"]].count("allow") == 1
    assert plain["summary"] == full["summary"]


def test_it_is_ascii_so_that_any_stream_takes_it(report):
    broken = replace(report.findings[0], path="caf\udce9.py", message="\x1b[31m\u202e")
    written = rendered(replace(report, findings=(broken,)))
    assert written.isascii()
    assert json.loads(written)["findings"][0]["path"] == "caf\udce9.py"


def test_without_findings_the_lists_are_empty(report):
    document = json.loads(rendered(replace(report, findings=())))
    assert document["findings"] == []
    assert document["summary"]["by_rule"] == {}
