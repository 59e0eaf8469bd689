"""What the comments of a file do to its findings."""

import pytest

from redis_guard.finding import Severity
from redis_guard.fixes.edits import apply_edits
from redis_guard.silence.inline import silence_file

ALL = {"RG001", "RG002", "RG003", "RG101", "RG102", "RG201", "RG202", "RG401", "RG601"}


@pytest.fixture
def silenced(marks, find, names):
    """All findings of a source whose every `r.…()` is a direct call, after its comments."""

    def run(text, active=ALL, code="RG101"):
        return list(silence_file("a.py", find(text, code), marks(text), names, active, lambda: text))

    return run


def outcome(findings):
    return sorted((found.code, found.span.line, found.suppressed, found.reason) for found in findings)


def test_an_allow_with_a_reason_silences_its_statement_only(silenced):
    text = "r.get(1)  # redis-guard: allow[RG101] warmed at start\nr.get(2)\n"
    assert outcome(silenced(text)) == [
        ("RG101", 1, "allow", "warmed at start"),
        ("RG101", 2, None, None),
    ]


@pytest.mark.parametrize("selector", ["RG101", "RG1", "RG", "direct-call"])
def test_a_rule_may_be_named_by_code_beginning_or_name(selector, silenced):
    (found,) = silenced(f"r.get(1)  # redis-guard: allow[{selector}] warmed at start\n")
    assert found.suppressed == "allow"


def test_an_allow_for_another_rule_does_not_silence(silenced):
    found = silenced("r.get(1)  # redis-guard: allow[RG401] warmed at start\n")
    assert [(f.code, f.suppressed) for f in found] == [("RG101", None), ("RG002", None)]


@pytest.mark.parametrize("reason", ["", " legacy", " too short", " - "])
def test_without_three_words_of_reason_the_finding_stays_and_the_allow_is_an_error(reason, silenced):
    text = f"r.get(1)  # redis-guard: allow[RG101]{reason}\n"
    complaint, finding = silenced(text)
    assert finding.suppressed is None
    assert (complaint.code, complaint.name, complaint.severity) == (
        "RG003",
        "allow-without-reason",
        Severity.ERROR,
    )
    assert "write `# redis-guard: allow[RG101] why this one is right`" in complaint.message
    assert complaint.span.column == 11


def test_a_rule_that_does_not_exist_is_an_error_while_the_others_of_the_list_hold(silenced):
    found = silenced("r.get(1)  # redis-guard: allow[RG101, mising-ttl] warmed at start\n")
    assert [(f.code, f.suppressed) for f in found] == [("RG003", None), ("RG101", "allow")]
    assert "did you mean `missing-ttl`?" in found[0].message


def test_a_misspelt_allow_is_an_error_and_silences_nothing(silenced):
    found = silenced("r.get(1)  # redis-guard: alow[RG101] warmed at start\n")
    assert outcome(found) == [("RG003", 1, None, None), ("RG101", 1, None, None)]


def test_of_overlapping_allows_none_is_unused(silenced):
    text = (
        "# redis-guard: allow[RG101] legacy module goes\n"
        "def f():\n"
        "    r.get(1)  # redis-guard: allow[RG101] warmed at start\n"
    )
    assert [(f.code, f.suppressed) for f in silenced(text)] == [("RG101", "allow")]


UNUSED = {
    "a comment at the end of a line": (
        "f()  # redis-guard: allow[RG101] one two three\n",
        "f()\n",
    ),
    "a comment on a line of its own": (
        "g()\n# redis-guard: allow[RG101] one two three\nf()\n",
        "g()\nf()\n",
    ),
    "the last line without line ending": (
        "f()\n# redis-guard: allow[RG101] one two three",
        "f()\n",
    ),
    "windows line endings": (
        "g()\r\n# redis-guard: allow[RG101] one two three\r\nf()\r\n",
        "g()\r\nf()\r\n",
    ),
    "one rule of two": (
        "r.get(1)  # redis-guard: allow[RG401, RG101] one two three\n",
        "r.get(1)  # redis-guard: allow[RG101] one two three\n",
    ),
    "words before": (
        "f()  # fetch  # redis-guard: allow[RG101] one two three\n",
        "f()  # fetch\n",
    ),
    "another tool's comment behind": (
        "f()  # redis-guard: allow[RG101] one two three  # type: ignore\n",
        "f()  # type: ignore\n",
    ),
}


@pytest.mark.parametrize("title", UNUSED)
def test_an_allow_that_silences_nothing_is_found_and_its_fix_takes_out_only_itself(title, silenced):
    text, repaired = UNUSED[title]
    (complaint,) = (found for found in silenced(text) if found.code == "RG002")
    assert complaint.severity == Severity.WARNING
    assert complaint.fix.applicability == "safe"
    assert apply_edits(text, complaint.fix.edits) == repaired


def test_an_allow_above_nothing_says_so(silenced):
    (found,) = silenced("if x:\n    f()\n    # redis-guard: allow[RG101] one two three\ng()\n")
    assert found.code == "RG002"
    assert "stands above no statement" in found.message


@pytest.mark.parametrize(("selector", "active"), [("RG601", ALL - {"RG601"}), ("RG1", ALL - {"RG102"})])
def test_an_allow_for_a_rule_that_did_not_run_is_not_known_to_be_unused(selector, active, silenced):
    assert silenced(f"f()  # redis-guard: allow[{selector}] one two three\n", active) == []


def test_a_bare_noqa_silences_without_a_word(silenced):
    assert outcome(silenced("r.get(1)  # noqa\n")) == [("RG101", 1, "noqa", None)]


def test_a_noqa_with_our_code_silences_and_is_asked_for_a_reason(silenced):
    finding, complaint = silenced("r.get(1)  # noqa: E501,RG101\n")
    assert finding.suppressed == "noqa"
    assert complaint.code == "RG003"
    assert "`# redis-guard: allow[RG101] why this one is right`" in complaint.message


def test_a_noqa_beside_an_allow_with_a_reason_is_not_asked_again(silenced):
    text = "r.get(1)  # noqa: RG101  # redis-guard: allow[RG101] warmed at start\n"
    assert outcome(silenced(text)) == [("RG101", 1, "allow", "warmed at start")]


def test_a_noqa_with_our_code_that_silences_nothing_is_unused(silenced):
    (found,) = silenced("f()  # noqa: RG101\n")
    assert found.code == "RG002"


@pytest.mark.parametrize("text", ["f()  # noqa: E501\n", "f()  # noqa\n"])
def test_a_noqa_that_is_not_ours_is_not_judged(text, silenced):
    assert silenced(text) == []
