"""`make bench`: prints one line for each comparison, as soon as it is known.

Law of this file: every row that was asked for gets its line, with its ratio or the reason why there is none.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import measure, peers, table
from benchmarks.rows import ROWS, Row
from benchmarks.subject import OURS
from benchmarks.workshop import Workshop

TOOLS = Path(__file__).resolve().parents[1] / ".venv-bench"


def main(argv: list[str]) -> int:
    """Measure the rows asked for. 0, or 1 when the checker failed in one; 2 is a wrong option."""
    options = _options(argv)
    if options.list:
        print(*(f"{row.name:22} {row.work}" for row in ROWS), sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="redis-guard-bench-") as folder:
        shop = Workshop(Path(folder), options.tools, options.mid_files, options.huge_files)
        rounds = {row: options.slow_rounds if row.slow else options.rounds for row in options.rows}
        return report(rounds, shop, options.timeout)


def report(rounds: dict[Row, int], shop: Workshop, timeout: float) -> int:
    """Print the table. 0, or 1 when our own command failed in a row; another tool's failure is only said."""
    failed = False
    print(table.HEAD, flush=True)
    for row, count in rounds.items():
        against = table.against(row, None)
        try:
            theirs = row.theirs(shop)
            if isinstance(row.against, peers.Peer):
                against = table.against(row, Path(theirs.argv[0]).parent)
            pairs = list(measure.paired(row.ours(shop), theirs, count, timeout))
        except (measure.CommandError, peers.PeerMissingError) as error:
            failed |= isinstance(error, measure.CommandError) and error.command.name == OURS
            print(table.unmeasured(row, against, str(error)), flush=True)
        else:
            print(table.measured(row, against, measure.ratio(pairs, row.quantity)), flush=True)
    return int(failed)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make bench", description="Ratios of redis-guard to other tools, in one run."
    )
    parser.add_argument("--rows", type=_rows, default=ROWS, metavar="NAME,NAME", help="only these rows")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    parser.add_argument(
        "--rounds", type=_count, default=5, metavar="N", help="rounds of each row (default 5)"
    )
    parser.add_argument(
        "--slow-rounds", type=_count, default=1, metavar="N", help="rounds against pylint and fixit (1)"
    )
    parser.add_argument(
        "--mid-files", type=_count, default=1_200, metavar="N", help="files of the mid tree (1200)"
    )
    parser.add_argument(
        "--huge-files", type=_count, default=27_000, metavar="N", help="files of the huge tree (27000)"
    )
    parser.add_argument("--timeout", type=float, default=1_800, metavar="SECONDS", help="for one run (1800)")
    parser.add_argument(
        "--tools", type=Path, default=TOOLS, metavar="DIR", help="where the other tools are installed"
    )
    return parser.parse_args(argv)


def _rows(text: str) -> tuple[Row, ...]:
    known = {row.name: row for row in ROWS}
    for name in text.split(","):
        if name not in known:
            raise argparse.ArgumentTypeError(f"there is no row {name!r}; --list names them")
    return tuple(known[name] for name in text.split(","))


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
