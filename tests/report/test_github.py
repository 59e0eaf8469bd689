"""Annotations of GitHub Actions."""

import re
from dataclasses import replace

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)")
"""As the runner takes it apart: `::name key=value,key=value::message`."""


def commands(text):
    """The commands and the closing line."""
    *lines, closing = text.splitlines()
    found = []
    for line in lines:
        kind, properties, message = COMMAND.fullmatch(line).groups()
        found.append((kind, dict(part.split("=", 1) for part in properties.split(",")), message))
    return found, closing


def unescaped(text):
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_the_worst_come_first_and_a_summary_last(report, rendered):
    found, closing = commands(rendered("github", report, "utf-8"))
    assert [kind for kind, _, _ in found] == ["error", "error", "warning", "notice"]
    assert closing.startswith("4 findings (2 errors, 1 warning, 1 note)")


def test_each_names_its_place_and_its_rule(report, rendered):
    found, _ = commands(rendered("github", report, "utf-8"))
    assert found[0][1] == {
        "file": "app/limits.py",
        "line": "6",
        "col": "36",
        "endColumn": "55",
        "title": "RG202 incr-then-expire",
    }
    assert unescaped(found[0][2]) == report.findings[0].message


def test_columns_are_left_out_where_a_finding_has_several_lines(report, rendered):
    found, _ = commands(rendered("github", report, "utf-8"))
    assert {key: value for key, value in found[2][1].items() if key != "title"} == {
        "file": "app/limits.py",
        "line": "11",
        "endLine": "12",
    }


def test_what_is_suppressed_is_no_annotation_even_when_shown(report, rendered):
    shown = rendered("github", replace(report, show_suppressed=True), "utf-8")
    assert shown == rendered("github", report, "utf-8")


def test_nothing_in_a_path_or_a_message_ends_a_command_or_begins_one(odd, rendered):
    found, _ = commands(rendered("github", odd, "utf-8"))
    assert [unescaped(properties["file"]) for _, properties, _ in found] == [
        "services/my shop/a b/caf\ufffd,x:y.py"
    ] * 2
    assert unescaped(found[0][2]).startswith('one "two" <three> & 100%:\r\n\u241b[31m::error::\ufffd four, ')


def test_a_stream_that_lacks_characters_gets_escapes(report, rendered):
    assert "\\u767b" in rendered("github", report)


def test_without_findings_there_is_the_summary_alone(report, rendered):
    assert commands(rendered("github", replace(report, findings=()))) == (
        [],
        "no findings in 812 files, 41 analysed",
    )
