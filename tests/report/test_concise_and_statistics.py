"""The two formats for a glance."""

import io
import re
from dataclasses import replace

import pytest

from redis_guard.report import renderer


def rendered(name, report, encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    renderer(name)(report, out)
    out.flush()
    return out.buffer.getvalue().decode(encoding)


def test_concise_is_one_line_a_finding_as_flake8_prints_it(report):
    lines = rendered("concise", report).splitlines()
    assert len(lines) == 4
    assert all(re.fullmatch(r"[\w/.]+:\d+:\d+: RG\d{3} .+", line) for line in lines)
    assert lines[1] == "app/limits.py:11:10: RG401 nothing limits the lifetime of `login:{who}`"


def test_concise_says_what_suppresses_a_finding_that_is_shown_nevertheless(report):
    lines = rendered("concise", replace(report, show_suppressed=True)).splitlines()
    assert lines[3].endswith("RG102 a client is built here (suppressed by allow: kept as is)")


def test_a_message_or_path_with_line_ends_and_controls_stays_one_harmless_line(report):
    nasty = replace(report.findings[1], message="one\r\ntwo\x1b[31m three\u202e", path="a\nb\udce9.py")
    written = rendered("concise", replace(report, findings=(nasty,)))
    assert written == "a\u240ab\ufffd.py:11:10: RG401 one two\u241b[31m three\ufffd\n"


@pytest.mark.parametrize("name", ["concise", "text", "statistics"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_stream_that_lacks_characters_gets_escapes_and_no_error(report, name, encoding):
    written = rendered(name, report, encoding)
    assert ("\\u767b" in written) == (name != "statistics")


def test_statistics_count_by_rule_the_most_frequent_first(report):
    more = (*report.findings, *[report.findings[1]] * 9)
    assert rendered("statistics", replace(report, findings=more)) == (
        "10  RG401  missing-ttl\n"
        " 1  RG001  unparsable-file\n"
        " 1  RG102  direct-client  (1 with a fix)\n"
        " 1  RG202  incr-then-expire  (1 with a fix)\n"
    )


def test_statistics_of_nothing_are_empty(report):
    assert rendered("statistics", replace(report, findings=())) == ""


def test_an_unknown_format_is_a_key_error():
    with pytest.raises(KeyError):
        renderer("yaml")
