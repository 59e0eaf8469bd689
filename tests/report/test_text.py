"""The text format."""

import io
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from redis_guard.finding import Finding, Severity, Span
from redis_guard.report import Report, renderer
from redis_guard.report.text import render
from tests.generate.text_snapshots import FOLDER, VARIANTS, rendered

ANSI = re.compile(r"\x1b\[[\d;]*m")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """A terminal of 256 colours, nothing said about colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize("name", VARIANTS)
def test_it_looks_as_recorded(name):
    assert rendered(*VARIANTS[name]) == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_colour_adds_nothing_but_colour(width):
    coloured = rendered(width, True)
    assert ANSI.search(coloured)
    assert ANSI.sub("", coloured) == rendered(width, False)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    lines = rendered(width, False).splitlines()
    assert max(cell_len(line) for line in lines[:-1]) <= width


def test_findings_are_grouped_by_file_and_each_names_its_place(report):
    out = io.StringIO()
    render(report, out)
    lines = out.getvalue().splitlines()
    assert [line for line in lines if re.match(r"\S+\.py$", line)] == ["app/limits.py", "broken.py"]
    assert "  error RG202 incr-then-expire  app/limits.py:6:36" in lines


def test_the_help_for_a_rule_is_given_once(report):
    out = io.StringIO()
    render(replace(report, findings=report.findings * 2), out)
    assert out.getvalue().count("help: redis-guard rule RG202") == 1


def test_what_is_suppressed_appears_on_demand_with_its_reason(report):
    out = io.StringIO()
    render(replace(report, show_suppressed=True), out)
    assert "= suppressed by allow: kept as is" in out.getvalue()
    assert "= suppressed by baseline: recorded in .redis-guard-baseline.json" in out.getvalue()


@pytest.mark.parametrize(
    ("change", "closing"),
    [
        (
            {},
            "4 findings (2 errors, 1 warning, 1 note) in 2 of 812 files, 41 analysed; --fix repairs 1; "
            "--unsafe-fixes repairs 1 more; 1 suppressed; 1 in the baseline",
        ),
        ({"findings": ()}, "no findings in 812 files, 41 analysed"),
        ({"findings": (), "files": 1, "analysed": 0}, "no findings in 1 file, 0 analysed"),
        ({"findings": (), "fixed": 3}, "no findings in 812 files, 41 analysed; 3 repaired"),
    ],
)
def test_the_last_line_counts(report, change, closing):
    out = io.StringIO()
    render(replace(report, **change), out)
    assert out.getvalue().splitlines()[-1] == closing


@pytest.mark.parametrize(
    ("environment", "stream", "coloured"),
    [
        ({}, Terminal, True),
        ({}, io.StringIO, False),
        ({"NO_COLOR": "1"}, Terminal, False),
        ({"FORCE_COLOR": "1"}, io.StringIO, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal, False),
        ({"TERM": "dumb"}, Terminal, False),
    ],
)
def test_colour_is_for_terminals_unless_the_environment_says_otherwise(
    report, monkeypatch, environment, stream, coloured
):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = stream()
    renderer("text")(report, out)
    assert bool(ANSI.search(out.getvalue())) == coloured


def test_a_terminal_says_how_wide_it_is(report, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = Terminal()
    renderer("text")(report, out)
    lines = ANSI.sub("", out.getvalue()).splitlines()[:-1]
    assert 50 < max(cell_len(line) for line in lines) <= 60


def test_without_findings_rich_is_not_loaded_and_without_colour_only_its_table_of_widths():
    program = (
        "import io, sys\n"
        "from dataclasses import replace\n"
        "from redis_guard.report import renderer\n"
        "from tests.report.sample import sample_report\n"
        "report = sample_report()\n"
        "for name in ('concise', 'json', 'statistics'):\n"
        "    renderer(name)(report, io.StringIO())\n"
        "renderer('text')(replace(report, findings=()), io.StringIO())\n"
        "assert not [name for name in sys.modules if name.startswith('rich')]\n"
        "renderer('text')(report, io.StringIO())\n"
        "assert 'rich.console' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


source_text = st.text(st.sampled_from("ab (\t鍵e\u0301\u200b\x1b\x00\u202e\ud800"), min_size=1, max_size=400)


@given(source_text, st.data(), st.sampled_from([40, 80, 120]))
def test_the_carets_stand_under_the_code_whatever_the_line_holds(line, data, width):
    start = data.draw(st.integers(0, len(line) - 1))
    stop = data.draw(st.integers(start, len(line)))
    marked = line[:start] + "@" * (stop - start) + line[stop:]
    finding = Finding("RG101", "direct-call", Severity.ERROR, "m", "a.py", Span(1, start + 1, 1, stop + 1))
    out = io.StringIO()
    render(Report((finding,), 1, 1, {"a.py": marked}.get, "0.1.0"), out, width=width)
    lines = out.getvalue().split("\n")
    (row,) = (index for index, text in enumerate(lines) if text.startswith("  1 |"))
    source, carets = lines[row].removeprefix("  1 |"), lines[row + 1].removeprefix("    |")
    assert cell_len(lines[row]) <= width
    assert cell_len(lines[row + 1]) <= width
    first, count = carets.index("^"), carets.count("^")
    if stop > start:
        under = source[len(_prefix(source, first)) :]
        assert under.startswith("@" * count)
        assert count == stop - start or under[count:] in ("", "...")


def _prefix(text, cells):
    """The beginning of a text that takes so many cells, with the marks of no width at its end."""
    for length in range(len(text), -1, -1):
        if cell_len(text[:length]) == cells:
            return text[:length]
    raise AssertionError(f"no character begins at cell {cells} of {text!r}")


def test_a_line_of_a_megabyte_is_cut_around_the_carets(report):
    line = "x = " + "1 + " * 250_000 + "r.get(1)" + " + 1" * 250_000
    column = line.index("r.get") + 1
    finding = replace(report.findings[0], span=Span(1, column, 1, column + 8), related=())
    out = io.StringIO()
    render(replace(report, findings=(finding,), sources=lambda path: line), out, width=80)
    (row,) = (text for text in out.getvalue().splitlines() if "r.get(1)" in text)
    assert row.startswith("  1 | ...")
    assert row.endswith("...")


@pytest.mark.parametrize("text", [None, "", "one line\n"])
def test_a_place_that_the_source_does_not_have_is_reported_without_a_frame(report, text):
    out = io.StringIO()
    finding = replace(report.findings[1], span=Span(99, 7, 99, 9))
    render(replace(report, findings=(finding,), sources=lambda path: text), out)
    assert "app/limits.py:99:7" in out.getvalue()
    assert "^" not in out.getvalue()


def test_control_characters_of_a_source_do_not_reach_the_terminal(report):
    text = "r.get('\x1b[2J\x07\u202e')\n"
    finding = replace(
        report.findings[0], span=Span(1, 1, 1, 9), related=(), message="\x1b[2J", path="\x1b.py"
    )
    out = io.StringIO()
    render(replace(report, findings=(finding,), sources=lambda path: text), out, colour=False)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", out.getvalue())
