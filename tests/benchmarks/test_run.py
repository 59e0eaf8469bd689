import dataclasses
import re
from pathlib import Path

import pytest

from benchmarks import run, table
from benchmarks.measure import Ratio
from benchmarks.rows import ROWS, Row
from benchmarks.workshop import Workshop

BY_NAME = {row.name: row for row in ROWS}


def _report(names: tuple[str, ...], workshop: Workshop) -> int:
    return run.report({BY_NAME[name]: 2 for name in names}, workshop, timeout=60)


def test_rows_have_names_of_their_own() -> None:
    assert len(BY_NAME) == len(ROWS)


def test_each_row_prints_its_ratio_rounds_target_and_verdict(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    status = _report(("version", "five-without-redis", "growth-memory"), workshop)

    head, _, *lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert head.startswith("| work | against | ratio |")
    assert len(lines) == 3
    assert re.fullmatch(
        r"\| redis-guard --version \| `python -c pass` \| [\d.]+ \| .* to .* \| 2 \| ≤ 4 \| \w+ \|", lines[0]
    )


def test_a_failing_checker_is_said_and_fails_the_run(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = dataclasses.replace(workshop, program=(str(workshop.folder / "absent"),))

    assert _report(("version",), broken) == 1
    assert "| not measured | redis-guard: " in capsys.readouterr().out


def test_a_missing_peer_is_said_and_the_run_goes_on(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(workshop.folder))

    assert _report(("shop-cold", "version"), workshop) == 0

    _, _, missing, measured = capsys.readouterr().out.splitlines()
    assert missing.startswith(
        "| the shop, cold | flake8, one plugin | not measured | flake8 cannot be installed: "
    )
    assert "| 2 | ≤ 4 |" in measured


@pytest.mark.parametrize(
    ("median", "verdict"), [(0.2, "NO"), (0.10, "the first"), (0.07, "the first"), (0.05, "yes, both")]
)
def test_a_target_is_met_at_its_bound(median: float, verdict: str) -> None:
    line = table.measured(BY_NAME["mid-cold-flake8"], "flake8", Ratio(median, median, median, 5))

    assert line.endswith(f"| ≤ 0.1, then ≤ 0.05 | {verdict} |")


def test_rows_can_be_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Row, int]] = []

    def note(rounds: dict[Row, int], shop: Workshop, timeout: float) -> int:
        asked.extend(rounds.items())
        return 0

    monkeypatch.setattr(run, "report", note)

    assert run.main(["--rows", "version,mid-cold-pylint", "--rounds", "7"]) == 0
    assert asked == [(BY_NAME["version"], 7), (BY_NAME["mid-cold-pylint"], 1)]


@pytest.mark.parametrize("arguments", [["--rows", "versoin"], ["--rounds", "0"], ["--rounds", "many"]])
def test_a_wrong_option_is_one_clear_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run.main(arguments)

    assert stopped.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("make bench: error: ")


def test_the_list_names_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["--list"])

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(BY_NAME)


def test_tools_are_kept_where_git_does_not_look() -> None:
    ignored = (Path(run.TOOLS).parent / ".gitignore").read_text(encoding="utf-8").splitlines()

    assert f"{run.TOOLS.name}/" in ignored
