"""SARIF 2.1.0."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from redis_guard.finding import Related, Severity, Span
from redis_guard.report.sarif import MOST_RELATED

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "sarif-2.1.0.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def run_of(rendered):
    """The only run of a log that the schema accepts."""

    def read(report):
        log = json.loads(rendered("sarif", report))
        VALIDATOR.validate(log)
        (run,) = log["runs"]
        return run

    return read


def test_every_rule_is_described_whether_it_speaks_or_not(report, run_of):
    rules = run_of(report)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in report.rules()]
    (rule,) = (rule for rule in rules if rule["id"] == "RG202")
    assert rule["name"] == "incr-then-expire"
    assert rule["shortDescription"]["text"].startswith("A counter is counted")
    assert rule["defaultConfiguration"] == {"enabled": True, "level": "error"}
    assert rule["help"]["markdown"].startswith("# RG202 incr-then-expire\n")
    assert rule["help"]["text"].startswith("RG202 incr-then-expire\n")
    assert rule["properties"]["tags"] == ["redis", "races"]


def test_descriptions_are_short_enough_for_github(report, run_of):
    rules = run_of(report)["tool"]["driver"]["rules"]
    assert max(len(rule["fullDescription"]["text"]) for rule in rules) <= 1024
    assert max(len(rule["shortDescription"]["text"]) for rule in rules) <= 1024


def test_a_result_leads_to_its_rule_and_its_place(report, run_of):
    run = run_of(report)
    result = run["results"][0]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "RG202"
    assert (result["level"], result["message"]["text"]) == ("error", report.findings[0].message)
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "app/limits.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 6, "startColumn": 36, "endLine": 6, "endColumn": 56},
            }
        }
    ]
    assert run["columnKind"] == "unicodeCodePoints"


def test_levels_are_those_of_the_findings(report, run_of):
    raised = replace(report, findings=tuple(replace(f, severity=Severity.NOTE) for f in report.findings))
    assert {result["level"] for result in run_of(raised)["results"]} == {"note"}


def test_the_fingerprint_is_that_of_the_json_format_and_survives_moved_lines(report, run_of):
    moved = replace(report, findings=tuple(replace(f, span=Span(90, 1, 90, 9)) for f in report.findings))
    fingerprints = [[r["partialFingerprints"] for r in run_of(each)["results"]] for each in (report, moved)]
    assert fingerprints[0] == fingerprints[1]
    assert fingerprints[0][0] == {"redisGuard/v1": "0123456789abcdef0123"}


def test_related_places_are_numbered_and_limited(report, run_of):
    places = run_of(report)["results"][0]["relatedLocations"]
    assert [(place["id"], place["message"]["text"]) for place in places] == [
        (0, "EXPIRE is here"),
        (1, "and also here"),
    ]
    many = (Related("a.py", Span(1, 1, 1, 2), "here"),) * (MOST_RELATED + 1)
    crowded = replace(report, findings=(replace(report.findings[0], related=many),))
    assert len(run_of(crowded)["results"][0]["relatedLocations"]) == MOST_RELATED


def test_a_fix_says_how_far_it_can_be_trusted(report, run_of):
    results = run_of(report)["results"]
    (fix,) = results[0]["fixes"]
    assert fix["description"]["text"] == "Set the lifetime in the same transaction (unsafe)"
    assert fix["artifactChanges"][0]["replacements"][1] == {
        "deletedRegion": {"startLine": 7, "startColumn": 1, "endLine": 9, "endColumn": 1},
        "insertedContent": {"text": ""},
    }
    assert "fixes" not in results[1]


@pytest.mark.parametrize("show_suppressed", [False, True])
def test_suppressed_findings_are_there_with_kind_and_justification(report, run_of, show_suppressed):
    as_noqa = replace(report.findings[3], suppressed="noqa", reason=None)
    as_config = replace(report.findings[3], suppressed="config", reason="old code")
    more = replace(report, findings=(*report.findings, as_noqa, as_config), show_suppressed=show_suppressed)
    found = [result["suppressions"] for result in run_of(more)["results"] if "suppressions" in result]
    assert found == [
        [{"kind": "inSource", "status": "accepted", "justification": "kept as is"}],
        [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "recorded in .redis-guard-baseline.json",
            }
        ],
        [{"kind": "inSource", "status": "accepted"}],
        [{"kind": "external", "status": "accepted", "justification": "old code"}],
    ]


def test_the_invocation_tells_the_exit_status_and_the_files_that_were_not_judged(report, run_of):
    (invocation,) = run_of(report)["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    (notification,) = invocation["toolExecutionNotifications"]
    assert (notification["level"], notification["message"]["text"]) == ("error", "not UTF-8: byte 0xff")
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "broken.py"


def test_an_error_about_no_file_has_no_place(report, run_of):
    nowhere = replace(report, findings=(replace(report.findings[5], path=""),))
    assert run_of(nowhere)["results"][0]["locations"] == []


def test_names_of_files_are_uris_from_the_top_of_the_repository(odd, run_of):
    run = run_of(odd)
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == "services/my%20shop/a%20b/caf%E9%2Cx%3Ay.py"
    assert unquote_to_bytes(artifact["uri"]).endswith(b"caf\xe9,x:y.py")
    assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///code/"}}
    assert run["automationDetails"]["id"] == "redis-guard/services/my shop/"


def test_a_registry_outside_the_repository_has_a_whole_uri(report, run_of):
    far = replace(report, findings=(replace(report.findings[1], path="/etc/my team/redis_guard.yaml"),))
    artifact = run_of(far)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///etc/my%20team/redis_guard.yaml"}


def test_messages_are_whole_and_hold_nothing_that_is_no_character(odd, run_of):
    text = run_of(odd)["results"][0]["message"]["text"]
    assert text == odd.findings[0].message.replace("\ud800", "\ufffd")


def test_every_line_ending_that_python_knows_is_declared(odd, run_of):
    assert run_of(odd)["newlineSequences"] == ["\r\n", "\n", "\r"]


def test_without_findings_there_are_rules_and_no_results(report, run_of):
    run = run_of(replace(report, findings=(), status=0))
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"]


def test_sarif_tools_read_it(report, rendered, tmp_path):
    path = tmp_path / "report.sarif"
    path.write_text(rendered("sarif", report), encoding="ascii")

    def sarif(*arguments):
        command = [sys.executable, "-m", "sarif", *arguments, str(path)]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert "RG202" in sarif("summary")
    sarif("csv", "--output", str(tmp_path / "report.csv"))
    rows = (tmp_path / "report.csv").read_text(encoding="utf-8-sig").splitlines()
    assert any(row.startswith("redis-guard,error,RG202,") for row in rows)
    assert sum(row.startswith("redis-guard,") for row in rows) == len(report.findings)
