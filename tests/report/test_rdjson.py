"""reviewdog's diagnostic format."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from redis_guard.finding import Edit, Fix, Span

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "rdjson.json").read_text())


@pytest.fixture
def diagnostics(rendered):
    def read(report):
        document = json.loads(rendered("rdjson", report))
        jsonschema.validate(document, SCHEMA)
        return document["diagnostics"]

    return read


def cut(text, span):
    """What a range means to reviewdog: bytes of UTF-8 from 1, the end left out."""
    data = text.encode("utf-8", "surrogatepass")
    lines = data.splitlines(keepends=True)
    start, end = (
        len(b"".join(lines[: span[side]["line"] - 1])) + span[side]["column"] - 1 for side in ("start", "end")
    )
    return data[start:end].decode("utf-8", "surrogatepass")


def test_a_diagnostic_has_rule_severity_and_place(report, diagnostics):
    found = diagnostics(report)
    assert [(each["code"]["value"], each["severity"]) for each in found] == [
        ("RG202", "ERROR"),
        ("RG401", "WARNING"),
        ("RG102", "INFO"),
        ("RG001", "ERROR"),
    ]
    assert found[0]["location"]["path"] == "app/limits.py"
    assert found[0]["related_locations"][1] == {
        "message": "and also here",
        "location": {
            "path": "app/window.py",
            "range": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 22}},
        },
    }


def test_columns_count_bytes(report, odd, diagnostics):
    text = report.sources("app/limits.py")
    assert cut(text, diagnostics(report)[0]["location"]["range"]) == "self.redis.incr(key)"
    spans = [each["location"]["range"] for each in diagnostics(odd)]
    assert [cut(odd.sources(""), span) for span in spans] == ["r.set", "t)\r\n𐐀é "]


def test_a_byte_order_mark_is_bytes_of_the_first_line_too(odd, diagnostics):
    marked = replace(odd, marked=lambda path: True)
    plain, shifted = diagnostics(odd), diagnostics(marked)
    text = "\ufeff" + odd.sources("")
    for before, after in zip(plain, shifted, strict=True):
        assert cut(text, after["location"]["range"]) == cut(odd.sources(""), before["location"]["range"])
    assert cut(text, shifted[0]["suggestions"][0]["range"]) == "(r.set"


def test_a_fix_is_one_suggestion_from_its_first_edit_to_its_last(odd, diagnostics):
    first, second = diagnostics(odd)
    (suggestion,) = first["suggestions"]
    assert cut(odd.sources(""), suggestion["range"]) == "(r.set"
    assert suggestion["text"] == 'r.set, ex="5"'
    assert first["message"].endswith("\nfix (safe): Say 'how long'")
    assert second["suggestions"] == []


@pytest.mark.parametrize(
    "edits",
    [
        (),
        (Edit(Span(99, 1, 99, 2), ""),),
        (Edit(Span(1, 1, 1, 3), ""), Edit(Span(1, 2, 1, 4), "")),
    ],
)
def test_edits_that_fit_nowhere_are_no_suggestion(odd, diagnostics, edits):
    finding = replace(odd.findings[0], fix=Fix("t", "safe", edits))
    assert diagnostics(replace(odd, findings=(finding,)))[0]["suggestions"] == []


def test_paths_are_relative_to_the_working_directory_and_text(odd, diagnostics):
    assert {each["location"]["path"] for each in diagnostics(odd)} == {"my shop/a b/caf\ufffd,x:y.py"}


def test_a_file_that_cannot_be_read_has_a_place_all_the_same(report, diagnostics):
    assert diagnostics(report)[3]["location"]["range"]["start"] == {"line": 1, "column": 1}


def test_what_is_suppressed_is_no_diagnostic_even_when_shown(report, diagnostics):
    assert diagnostics(replace(report, show_suppressed=True)) == diagnostics(report)


def test_without_findings_the_list_is_empty(report, diagnostics):
    assert diagnostics(replace(report, findings=())) == []
