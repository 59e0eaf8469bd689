"""JUnit XML."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import junitparser
import pytest
from lxml import etree

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "schemas" / "junit-10.xsd"))


@pytest.fixture
def read(rendered, tmp_path):
    """The document as junitparser has it, after Jenkins' schema has been asked."""

    def parse(report):
        text = rendered("junit", report)
        SCHEMA.assertValid(etree.fromstring(text.encode()))
        path = tmp_path / "report.xml"
        path.write_text(text, encoding="ascii")
        return junitparser.JUnitXml.fromfile(str(path))

    return parse


def test_a_suite_is_a_file_and_a_case_is_a_finding(report, read):
    suites = list(read(report))
    assert [(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) for suite in suites] == [
        ("app/limits.py", 3, 3, 0, 0),
        ("broken.py", 1, 0, 1, 0),
    ]
    case = next(iter(suites[0]))
    assert (case.name, case.classname) == ("RG202 incr-then-expire in Limits.hit", "app/limits.py")
    (failure,) = case.result
    assert (failure.type, failure.message) == ("error", report.findings[0].message)
    assert failure.text.splitlines()[1:] == [
        "app/limits.py:8:13: EXPIRE is here",
        "app/window.py:2:5: and also here",
    ]


def test_what_is_suppressed_is_skipped_with_its_reason_when_shown(report, read):
    cases = [case for suite in read(replace(report, show_suppressed=True)) for case in suite]
    skipped = [case.result[0].message for case in cases if case.is_skipped]
    assert skipped == [
        "suppressed by allow: kept as is",
        "suppressed by baseline: recorded in .redis-guard-baseline.json",
    ]


def test_names_hold_no_line_and_none_occurs_twice(report, read):
    moved = [replace(f, span=replace(f.span, line=f.span.line + 9, end_line=99)) for f in report.findings]
    twice = replace(report, findings=tuple(sorted((*moved, *report.findings), key=lambda f: f.path)))
    names = Counter((case.classname, case.name) for suite in read(twice) for case in suite)
    assert set(names.values()) == {1}
    assert ("app/limits.py", "RG202 incr-then-expire in Limits.hit (2)") in names


def test_a_run_without_findings_is_a_test_that_passes(report, read):
    (suite,) = read(replace(report, findings=()))
    (case,) = suite
    assert (case.name, case.is_passed) == ("no findings", True)


def test_characters_that_xml_lacks_become_others(odd, read):
    (suite,) = read(odd)
    assert suite.name == "services/my shop/a b/caf\ufffd,x:y.py"
    case = next(iter(suite))
    assert case.result[0].message.startswith(
        'one "two" <three> & 100%: \u241b[31m::error::\ufffd four, \ufffd'
    )
