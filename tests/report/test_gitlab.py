"""Code Quality reports of GitLab."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "gitlab-code-quality.json").read_text())


@pytest.fixture
def issues(rendered):
    """The entries, each as GitLab's own schema wants it."""

    def read(report):
        found = json.loads(rendered("gitlab", report))
        for issue in found:
            jsonschema.validate(issue, SCHEMA)
        return found

    return read


def test_an_issue_has_what_the_merge_request_shows(report, issues):
    assert issues(report)[1] == {
        "description": "RG401 missing-ttl: nothing limits the lifetime of `login:{who}`",
        "check_name": "RG401",
        "fingerprint": report.findings[1].fingerprint,
        "severity": "minor",
        "location": {"path": "app/limits.py", "lines": {"begin": 11, "end": 12}},
    }


def test_severities_are_among_those_that_gitlab_knows(report, issues):
    assert [issue["severity"] for issue in issues(report)] == ["major", "minor", "info", "major"]


def test_what_is_suppressed_is_no_issue_even_when_shown(report, issues):
    assert issues(replace(report, show_suppressed=True)) == issues(report)


def test_without_findings_it_is_an_empty_list(report, issues):
    assert issues(replace(report, findings=())) == []


def test_paths_begin_at_the_top_of_the_repository_and_are_text(odd, issues):
    assert {issue["location"]["path"] for issue in issues(odd)} == {"services/my shop/a b/caf\ufffd,x:y.py"}


def test_a_description_is_one_line_of_text(odd, issues):
    assert issues(odd)[0]["description"].startswith('RG401 missing-ttl: one "two" <three> & 100%: \u241b[31m')


def test_projects_of_one_repository_share_no_fingerprint(odd, issues):
    other = replace(odd, places=replace(odd.places, project="/code/services/other"))
    alone = replace(odd, places=replace(odd.places, project="/code"))
    fingerprints = [issue["fingerprint"] for each in (odd, other, alone) for issue in issues(each)]
    assert len(set(fingerprints)) == 6
    assert fingerprints[4:] == ["0" * 20, "1" * 20]
