"""All silencers of a run together."""

from dataclasses import dataclass, replace

import pytest

from redis_guard.finding import Finding, Severity, Span
from redis_guard.silence.apply import Run, new_baseline, silence
from redis_guard.silence.baseline import Baseline


@dataclass(frozen=True)
class PathAllow:
    paths: tuple[str, ...]
    rules: tuple[str, ...]
    reason: str


LEGACY = PathAllow(("legacy/**",), ("RG1",), "the wrapper lives here")
TEST_ESCAPE = PathAllow(("**/tests/**", "test_*.py", "conftest.py"), ("RG1", "RG401"), "tests may do so")
CONFIG = '[tool.redis-guard]\nselect = ["RG"]\n\n[[tool.redis-guard.allow]]\npaths = ["legacy/**"]\n'
TEXT = "r.get(1)  # redis-guard: allow[RG101] warmed at start\nr.get(2)  # noqa\nr.get(3)\nr.get(4)\n"


@pytest.fixture
def project(marks, find, names):
    """A run over files given as texts, where every `r.…()` is a direct call; keywords are fields of `Run`."""

    def build(files, **fields):
        raw = [found for path, text in files.items() for found in find(text, path=path)]
        base = Run(
            names=names,
            active=frozenset(names),
            reported=frozenset(files),
            whole_project=True,
            sources=files.get,
            exists=files.__contains__,
            marks={path: marks(text) for path, text in files.items()},
        )
        return raw, replace(base, **fields)

    return build


def outcome(silenced):
    return [(found.path, found.code, found.span.line, found.suppressed) for found in silenced.findings]


def test_each_silencer_takes_what_those_before_it_left(project):
    files = {"a.py": TEXT, "infra/b.py": TEXT}
    infra = PathAllow(("infra/",), ("RG1",), "the wrapper lives here")
    raw, run = project(files, path_allows=(infra,))
    run = replace(run, baseline=new_baseline(silence(raw, run), run, ".baseline.json"))
    extra = files["a.py"] + "r.set(5)\n"
    raw, later = project({**files, "a.py": extra}, path_allows=(infra,), baseline=run.baseline)
    assert outcome(silence(raw, later)) == [
        ("a.py", "RG101", 1, "allow"),
        ("a.py", "RG101", 2, "noqa"),
        ("a.py", "RG101", 3, "baseline"),
        ("a.py", "RG101", 4, "baseline"),
        ("a.py", "RG101", 5, None),
        ("infra/b.py", "RG101", 1, "allow"),
        ("infra/b.py", "RG101", 2, "noqa"),
        ("infra/b.py", "RG101", 3, "config"),
        ("infra/b.py", "RG101", 4, "config"),
    ]


def test_every_finding_has_a_fingerprint_of_its_own(project):
    raw, run = project({"a.py": TEXT + "r.get(4)\nf()  # redis-guard: allow[RG101]\n"})
    prints = [found.fingerprint for found in silence(raw, run).findings]
    assert all(prints)
    assert len(set(prints)) == len(prints)


def test_a_fingerprint_does_not_depend_on_what_is_silenced(project):
    raw, run = project({"a.py": "r.get(1)\nr.get(1)\n"})
    second = silence(raw, run).findings[1].fingerprint
    raw, run = project({"a.py": "r.get(1)  # noqa\nr.get(1)\n"})
    assert silence(raw, run).findings[1].fingerprint == second


def test_the_reason_of_a_table_is_the_reason_of_the_finding(project):
    table = PathAllow(("a.py",), ("direct-call",), "the wrapper lives here")
    raw, run = project({"a.py": "r.get(1)\n"}, path_allows=(table,))
    (found,) = silence(raw, run).findings
    assert (found.suppressed, found.reason) == ("config", "the wrapper lives here")


def test_a_table_without_effect_is_found_when_the_whole_project_was_seen(project):
    files = {"a.py": "r.get(1)\n", "pyproject.toml": CONFIG}
    raw, run = project({"a.py": "r.get(1)\n"}, sources=files.get)
    run = replace(run, path_allows=(LEGACY,), escapes=(TEST_ESCAPE,), config="pyproject.toml")
    silenced = silence(raw, run)
    assert outcome(silenced) == [("a.py", "RG101", 1, None), ("pyproject.toml", "RG002", 4, None)]
    assert "RG1 in legacy/**" in silenced.findings[1].message


def test_a_table_is_not_judged_by_a_run_over_some_files(project):
    raw, run = project({"a.py": "f()\n"}, path_allows=(LEGACY,), config="pyproject.toml")
    assert [found.code for found in silence(raw, run).findings] == ["RG002"]
    assert silence(raw, replace(run, whole_project=False)).findings == ()


def test_a_table_for_a_rule_that_did_not_run_is_not_judged(project, names):
    active = frozenset(names) - {"RG102"}
    raw, run = project({"a.py": "f()\n"}, path_allows=(LEGACY,), config="pyproject.toml", active=active)
    assert silence(raw, run).findings == ()


@pytest.mark.parametrize(
    "path",
    ["tests/deep/helper.py", "app/tests/factory.py", "app/test_limits.py", "conftest.py", "app/conftest.py"],
)
def test_tests_may_call_redis_directly_and_write_without_lifetime(path, project):
    raw, run = project({path: "r.get(1)\n"}, escapes=(TEST_ESCAPE,))
    raw += [replace(raw[0], code="RG401"), replace(raw[0], code="RG202")]
    found = {f.code: f.suppressed for f in silence(raw, run).findings}
    assert found == {"RG101": "config", "RG401": "config", "RG202": None}


@pytest.mark.parametrize("path", ["app/testing.py", "app/latest_limits.py", "contest.py", "tests.py"])
def test_what_only_sounds_like_a_test_is_none(path, project):
    raw, run = project({path: "r.get(1)\n"}, escapes=(TEST_ESCAPE,))
    assert silence(raw, run).findings[0].suppressed is None


def test_rules_about_silencers_can_be_switched_off(project, names):
    text = "f()  # redis-guard: allow[RG101] one two three\ng()  # redis-guard: alow\n"
    raw, run = project({"a.py": text}, active=frozenset(names) - {"RG002", "RG003"})
    assert silence(raw, run).findings == ()


def test_complaints_about_comments_can_be_allowed_by_config_and_recorded(project):
    table = PathAllow(("a.py",), ("RG003",), "the old comments go")
    files = {"a.py": "r.get(1)  # noqa: RG101\n"}
    raw, run = project(files, path_allows=(table,))
    assert [f.suppressed for f in silence(raw, run).findings] == ["noqa", "config"]
    raw, run = project(files)
    run = replace(run, baseline=new_baseline(silence(raw, run), run, ".baseline.json"))
    assert [f.suppressed for f in silence(raw, run).findings] == ["noqa", "baseline"]


def test_comments_of_files_that_are_not_reported_are_not_judged(project):
    files = {"a.py": "f()\n", "b.py": "f()  # redis-guard: allow[RG101] one two three\n"}
    raw, run = project(files, reported=frozenset({"a.py"}))
    assert silence(raw, run).findings == ()


def stale(project, **fields):
    raw, run = project({"a.py": "r.get(1)\n", "b.py": "r.get(2)\n"})
    recorded = new_baseline(silence(raw, run), run, ".baseline.json")
    files = {"a.py": "pass\n", "b.py": "r.get(2)\n"}
    return project(files, baseline=recorded, **fields)


def test_an_entry_whose_finding_is_gone_is_a_note_on_the_baseline(project):
    raw, run = stale(project)
    silenced = silence(raw, run)
    assert outcome(silenced) == [(".baseline.json", "RG002", 1, None), ("b.py", "RG101", 1, "baseline")]
    assert silenced.findings[0].severity == Severity.NOTE
    assert "RG101 in a.py" in silenced.findings[0].message
    assert [entry.path for entry in silenced.pruned.entries] == ["b.py"]


def test_its_severity_is_the_callers_choice(project):
    raw, run = stale(project, stale_fails=True)
    assert silence(raw, run).findings[0].severity == Severity.ERROR


def test_an_entry_of_a_file_outside_the_run_is_neither_stale_nor_pruned(project):
    raw, run = stale(project, reported=frozenset({"b.py"}), whole_project=False)
    silenced = silence([found for found in raw if found.path == "b.py"], run)
    assert outcome(silenced) == [("b.py", "RG101", 1, "baseline")]
    assert silenced.pruned == run.baseline


def test_an_entry_of_a_rule_outside_the_run_is_neither_stale_nor_pruned(project):
    _, run = stale(project, active=frozenset({"RG002"}))
    silenced = silence([], run)
    assert silenced.findings == ()
    assert silenced.pruned == run.baseline


def test_an_entry_of_a_file_that_no_longer_parses_is_neither_stale_nor_pruned(project):
    raw, run = stale(project)
    broken = Finding("RG001", "unparsable-file", Severity.ERROR, "line 1", "a.py", Span(1, 1, 1, 1))
    silenced = silence([*raw, broken], run)
    assert [found.code for found in silenced.findings] == ["RG001", "RG101"]
    assert silenced.pruned == run.baseline


def test_recording_again_from_some_files_keeps_the_entries_of_the_others(project):
    raw, run = project({"a.py": "r.get(1)\n", "b.py": "r.get(2)\n"})
    recorded = new_baseline(silence(raw, run), run, ".baseline.json")
    raw, run = project({"a.py": "r.set(1)\n"}, baseline=recorded, whole_project=False)
    run = replace(run, exists={"a.py", "b.py"}.__contains__)
    again = new_baseline(silence(raw, run), run, ".baseline.json")
    assert [(entry.path, entry.code) for entry in again.entries] == [
        ("a.py", "r . set ( 1 )"),
        ("b.py", "r . get ( 2 )"),
    ]


def test_recording_leaves_out_what_comments_and_config_silence(project):
    raw, run = project({"a.py": TEXT})
    recorded = new_baseline(silence(raw, run), run, ".baseline.json")
    assert [entry.code for entry in recorded.entries] == ["r . get ( 3 )", "r . get ( 4 )"]


def test_an_empty_project_records_nothing(project):
    raw, run = project({})
    assert new_baseline(silence(raw, run), run, ".baseline.json") == Baseline(".baseline.json")
