"""Recorded findings are recognised again whatever happens around them."""

import ast
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.finding import Finding, Severity, Span
from redis_guard.silence.baseline import Baseline, Judged, entries_for, fingerprint, match, record
from redis_guard.silence.normal import normal_form

PATH = "app/limits.py"


def findings_in(text, path=PATH):
    """A finding on every `r.…()`, with the function it stands in."""
    found = []
    for function in ast.parse(text).body:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("r."):
                span = Span(node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)
                name = getattr(function, "name", "")
                found.append(Finding("RG101", "direct-call", Severity.ERROR, "…", path, span, function=name))
    return found


def identified(text, path=PATH):
    return entries_for(findings_in(text, path), {path: text}.get)


def recorded(text, path=PATH):
    return record(identified(text, path), Baseline("b.json"), judged({path}))


def judged(paths, exists=None, whole=True):
    return Judged(set(paths), {"RG101"}, (exists or set(paths)).__contains__, whole)


def suppressed(matched):
    return [finding.suppressed for finding in matched.findings]


class Formatter:
    """Writes one program in many ways: what a person or a formatter changes without changing the code."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def module(self, functions):
        names = list(functions)
        self.random.shuffle(names)
        parts = [self.function(name, functions[name]) for name in names]
        return "".join(self.gap() + part for part in parts)

    def function(self, name, calls):
        indent = self.random.choice(["  ", "    ", "\t"])
        body = "".join(f"{self.gap(indent)}{indent}{self.call(*call)}\n" for call in calls)
        return f"def {name}():\n{body}{indent}return{self.blank()} 1\n"

    def call(self, method, key, count):
        quote = self.random.choice("'\"")
        arguments = [f"{quote}{key}{quote}", str(count)]
        if self.random.random() < 0.3:
            inside = "".join(f"\n        {argument},{self.remark()}" for argument in arguments)
            return f"r.{method}({inside}\n    )"
        comma = self.random.choice([", ", ",", " , "])
        return f"r{self.blank()}.{method}{self.blank()}({self.blank()}{comma.join(arguments)}{self.blank()})"

    def blank(self):
        return self.random.choice(["", "", " "])

    def remark(self):
        return self.random.choice(["", "  # as agreed"])

    def gap(self, indent=""):
        return self.random.choice(["", "", "\n", f"{indent}# a word\n", f"{indent}other = [1,\n  2]\n"])


calls = st.tuples(st.sampled_from(["get", "set", "incr"]), st.sampled_from(["a", "b:c"]), st.integers(0, 3))
programs = st.dictionaries(st.sampled_from(["f", "g", "h"]), st.lists(calls, max_size=5), max_size=3)
seeds = st.integers(0, 10_000)


@given(programs, seeds, seeds)
def test_moving_reformatting_and_lines_elsewhere_do_not_disturb_it(program, before, after):
    old, new = Formatter(before).module(program), Formatter(after).module(program)
    matched = match(identified(new), recorded(old), judged({PATH}))
    assert set(suppressed(matched)) <= {"baseline"}
    assert matched.stale == ()
    assert matched.pruned == recorded(old)


@given(programs, programs, seeds)
def test_it_never_silences_more_than_was_recorded_nor_grows(program, other, seed):
    old, new = Formatter(seed).module(program), Formatter(seed + 1).module(other)
    matched = match(identified(new), recorded(old), judged({PATH}))
    silenced = suppressed(matched).count("baseline")
    assert silenced + len(matched.stale) == len(recorded(old).entries)
    assert len(matched.pruned.entries) == silenced
    assert match(identified(new), matched.pruned, judged({PATH})).stale == ()


@given(programs, seeds)
def test_no_two_findings_share_a_fingerprint(program, seed):
    entries = [entry for _, entry in identified(Formatter(seed).module(program))]
    assert len({entry.fingerprint for entry in entries}) == len(entries)


def test_of_findings_alike_only_as_many_as_were_recorded_are_silenced():
    old, new = "def f():\n  r.get(1)\n", "def f():\n  r.get(1)\n  r.get(1)\n"
    assert suppressed(match(identified(new), recorded(old), judged({PATH}))) == ["baseline", None]


def test_the_same_code_in_another_function_is_new():
    old, new = "def f():\n  r.get(1)\n", "def g():\n  r.get(1)\n"
    matched = match(identified(new), recorded(old), judged({PATH}))
    assert suppressed(matched) == [None]
    assert len(matched.stale) == 1


def test_the_same_code_in_another_file_is_new_while_the_first_file_stands():
    text = "def f():\n  r.get(1)\n"
    matched = match(identified(text, "app/other.py"), recorded(text), judged({"app/other.py"}, {PATH}))
    assert suppressed(matched) == [None]


@pytest.mark.parametrize("path", ["service/limits.py", "app/quota.py"])
@pytest.mark.parametrize("whole", [True, False])
def test_a_moved_or_renamed_file_takes_its_entries_along(path, whole):
    text = "def f():\n  r.get(1)\n  r.get(1)\n"
    matched = match(identified(text, path), recorded(text), judged({path}, whole=whole))
    assert suppressed(matched) == ["baseline", "baseline"]
    assert {entry.path for entry in matched.pruned.entries} == {path}
    assert matched.stale == ()


def test_a_file_that_was_moved_and_renamed_at_once_is_new():
    text = "def f():\n  r.get(1)\n"
    matched = match(identified(text, "service/quota.py"), recorded(text), judged({"service/quota.py"}))
    assert suppressed(matched) == [None]
    assert len(matched.stale) == 1


def test_an_entry_of_a_deleted_file_is_dead_for_a_run_over_the_whole_project_only():
    old = recorded("def f():\n  r.get(1)\n", "app/gone.py")
    assert match([], old, judged({PATH}, whole=True)).stale == old.entries
    partial = match([], old, judged({PATH}, whole=False))
    assert (partial.stale, partial.pruned) == ((), old)


def test_a_finding_that_is_silenced_otherwise_needs_no_entry():
    text = "def f():\n  r.get(1)\n"
    [(finding, entry)] = identified(text)
    matched = match([(replace(finding, suppressed="allow"), entry)], recorded(text), judged({PATH}))
    assert suppressed(matched) == ["allow"]
    assert matched.stale == (entry,)


def test_a_finding_says_where_it_is_recorded():
    text = "def f():\n  r.get(1)\n"
    (finding,) = match(identified(text), recorded(text), judged({PATH})).findings
    assert finding.reason == "recorded in b.json"


def test_a_fingerprint_is_that_of_the_entry():
    [(finding, entry)] = identified("def f():\n  r.get(1)\n")
    assert fingerprint(finding, "r.get( 1 )", 1) == entry.fingerprint
    assert fingerprint(finding, "r.get( 1 )", 2) != entry.fingerprint


def test_a_finding_without_readable_source_has_an_entry_nevertheless():
    finding = Finding("RG001", "unparsable-file", Severity.ERROR, "…", PATH, Span(7, 1, 7, 1))
    for text in (None, "", "x\n"):
        [(_, entry)] = entries_for([finding], lambda path, text=text: text)
        assert (entry.code, entry.nth) == ("", 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("r.get(1)", "r . get (\n\t1,\n)"),
        ("r.get('a')", 'r.get("a")'),
        ("f(b'')", 'f(b"")'),
        ("r.get(1)  # why", "r.get(1)"),
        ("a + b", "a \\\n  + b"),
    ],
)
def test_layout_does_not_count(one, other):
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("r.get('a b')", "r.get('ab')"),
        ("r.get('# a')", "r.get('# b')"),
        ("r.get('''it's''')", "r.get('''its''')"),
        ("ab", "a b"),
        ("r.get(1)", "r.get(10)"),
        ("f(" + "1, " * 90 + "2)", "f(" + "1, " * 90 + "3)"),
    ],
)
def test_code_does(one, other):
    assert normal_form(one) != normal_form(other)


@given(st.text())
def test_any_text_has_a_short_normal_form_on_one_line(text):
    assert len(normal_form(text)) <= 120


def test_the_normal_form_is_the_one_that_baselines_hold():
    assert normal_form('self.r.set(f"a:{x}", 1, ex=60)') == 'self . r . set ( f"a:{x}" , 1 , ex = 60 )'
