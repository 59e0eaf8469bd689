import sys
import time
from pathlib import Path

import pytest

from benchmarks.measure import Command, CommandError, Pair, Sample, paired, ratio, run


def _python(code: str, cwd: Path, name: str = "python") -> Command:
    return Command(name, (sys.executable, "-c", code), cwd)


def _log(letter: str, cwd: Path) -> Command:
    return _python(f"open('log', 'a').write('{letter}')", cwd)


def test_runs_take_turns_after_one_of_each_that_does_not_count(tmp_path: Path) -> None:
    pairs = list(paired(_log("a", tmp_path), _log("b", tmp_path), rounds=3, timeout=60))

    assert len(pairs) == 3
    assert (tmp_path / "log").read_text() == "ab" + "ababab"


def test_a_single_round_spares_the_other_tool_its_first_run(tmp_path: Path) -> None:
    list(paired(_log("a", tmp_path), _log("b", tmp_path), rounds=1, timeout=60))

    assert (tmp_path / "log").read_text() == "a" + "ab"


def test_preparation_comes_before_each_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    command = Command("rm", ("rm", "marker"), tmp_path, frozenset({0}), before=marker.touch)

    run(command, timeout=60)
    run(command, timeout=60)

    assert not marker.exists()


def test_a_ratio_is_the_median_of_pairs_not_the_pair_of_medians() -> None:
    pairs = [Pair(Sample(a, 1), Sample(b, 1)) for a, b in ((2.0, 1.0), (30.0, 10.0), (4.0, 1.0))]

    found = ratio(pairs, lambda sample: sample.seconds)

    assert (found.median, found.low, found.high, found.rounds) == (3.0, 2.0, 4.0, 3)


def test_memory_grows_with_what_a_command_holds(tmp_path: Path) -> None:
    small = run(_python("x = b'1'", tmp_path), timeout=60)
    large = run(_python("x = b'1' * 300_000_000", tmp_path), timeout=60)

    assert large.peak > 2 * small.peak


def test_a_wrong_status_is_an_error_with_the_last_line_that_was_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="tool: exit status 1: no such option"):
        run(
            Command("tool", (sys.executable, "-c", "exit('no such option')"), tmp_path, frozenset({0})),
            timeout=60,
        )


def test_a_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"tool: .*No such file"):
        run(Command("tool", (str(tmp_path / "absent"),), tmp_path), timeout=60)


def test_a_command_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    begin = time.monotonic()

    with pytest.raises(CommandError, match=r"not done after 0\.2 seconds"):
        run(_python("import time; time.sleep(60)", tmp_path), timeout=0.2)

    assert time.monotonic() - begin < 30
