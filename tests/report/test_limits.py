"""What services leave out, told beside a report that is whole."""

from dataclasses import replace

import pytest

from redis_guard.report import FORMATS, remarks


def many(report, **counts):
    kinds = {finding.severity.value: finding for finding in report.open[:3]}
    return replace(report, findings=tuple(kinds[kind] for kind, n in counts.items() for _ in range(n)))


def test_ten_annotations_of_each_kind_are_shown(report):
    assert remarks("github", many(report, error=10, warning=10, note=10)) == ()
    (line,) = remarks("github", many(report, error=11, note=3))
    assert "13 of 14 findings" in line


def test_more_results_than_github_shows_or_takes_are_told(report):
    assert remarks("sarif", many(report, error=5_000)) == ()
    (shown,) = remarks("sarif", many(report, error=5_001))
    assert "shows 5000" in shown
    (taken,) = remarks("sarif", many(report, error=25_001))
    assert "takes 25000" in taken


@pytest.mark.parametrize("name", FORMATS.keys() - {"github", "sarif"})
def test_the_others_have_no_limit(report, name):
    assert remarks(name, many(report, error=25_001)) == ()
