"""Findings a line, and a last line that says the report is whole."""

import json
from dataclasses import replace

import pytest


def test_its_lines_are_the_findings_of_the_json_format(report, rendered):
    *findings, closing = map(json.loads, rendered("jsonl", report).splitlines())
    whole = json.loads(rendered("json", report))
    assert findings == whole.pop("findings")
    assert closing == whole


@pytest.mark.parametrize("show_suppressed", [False, True])
def test_suppressed_findings_are_listed_on_demand(report, rendered, show_suppressed):
    lines = rendered("jsonl", replace(report, show_suppressed=show_suppressed)).splitlines()
    assert len(lines) - 1 == (6 if show_suppressed else 4)


def test_without_findings_there_is_the_last_line_alone(report, rendered):
    (line,) = rendered("jsonl", replace(report, findings=())).splitlines()
    assert json.loads(line)["summary"]["findings"] == 0


def test_a_message_of_several_lines_is_one_line(odd, rendered):
    assert rendered("jsonl", odd).count("\n") == 3
