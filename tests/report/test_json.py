"""The JSON of `check`, version 1."""

import io
import json
from dataclasses import replace

import jsonschema
import pytest

from redis_guard.report import renderer

place = {
    "type": "object",
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
    "required": ["line", "column"],
    "additionalProperties": False,
}
count = {"type": "integer", "minimum": 0}
text = {"type": "string"}
text_or_null = {"type": ["string", "null"]}


def closed(properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


FINDING = closed(
    {
        "code": {"type": "string", "pattern": r"^RG\d{3}$"},
        "name": text,
        "severity": {"enum": ["error", "warning", "note"]},
        "message": text,
        "path": text,
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
        "end_line": {"type": "integer", "minimum": 1},
        "end_column": {"type": "integer", "minimum": 1},
        "method": text_or_null,
        "command": text_or_null,
        "key": text_or_null,
        "use_case": text_or_null,
        "confidence": {"enum": ["certain", "likely", "guessed"]},
        "related": {"type": "array", "items": closed({"path": text, **place["properties"], "message": text})},
        "fix": {
            "anyOf": [
                {"type": "null"},
                closed(
                    {
                        "applicability": {"enum": ["safe", "unsafe"]},
                        "title": text,
                        "edits": {
                            "type": "array",
                            "items": closed({"start": place, "end": place, "text": text}),
                        },
                    }
                ),
            ]
        },
        "fingerprint": text,
        "suppressed": {"enum": [None, "allow", "noqa", "config", "baseline"]},
        "reason": {"type": ["string", "null"]},
        "help": text,
    }
)
SCHEMA = closed(
    {
        "version": {"const": 1},
        "tool": closed({"name": {"const": "redis-guard"}, "version": text}),
        "findings": {"type": "array", "items": FINDING},
        "summary": closed(
            {
                "files": count,
                "analysed": count,
                "findings": count,
                "suppressed": count,
                "baseline": count,
                "by_rule": {"type": "object", "additionalProperties": count},
            }
        ),
    }
)


def rendered(report):
    out = io.StringIO()
    renderer("json")(report, out)
    return out.getvalue()


@pytest.mark.parametrize("show_suppressed", [True, False])
def test_it_has_the_documented_shape(report, show_suppressed):
    document = json.loads(rendered(replace(report, show_suppressed=show_suppressed)))
    jsonschema.validate(document, SCHEMA)


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
