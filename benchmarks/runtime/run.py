"""The runtime's half of `make bench`: one line for each comparison.

Law of this file: every comparison gets its line with its ratio and its target; nothing here fails for being slow.
"""

import argparse
import json
import statistics
import subprocess
import sys

from benchmarks.runtime import handoff
from benchmarks.runtime.rows import COMPARISONS, PARSERS, WORLDS, Parser, World
from redis_guard.testing.server import Server

HEAD = f"{'row':36} {'against':24} {'target':>7} {'median':>7}  {'range':>13}"


def main(argv: list[str]) -> int:
    """Measure all; 0 when everything could be measured."""
    parser = argparse.ArgumentParser(prog="make bench", description="What the runtime costs, as ratios.")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds of each row (default 15)")
    rounds = parser.parse_args(argv).rounds
    print(HEAD, flush=True)
    with Server() as server:
        for world in WORLDS:
            for kind in PARSERS:
                _ratios(server.url, world, kind, rounds)
        theirs = handoff.between_processes(server.url, ours=False)
        ours = handoff.between_processes(server.url, ours=True)
        crowd = handoff.through_a_crowd(server.url)
    print(
        f"\nhand-off to another process: median {ours.median:.2f} ms (target 1.5), p90 {ours.p90:.2f} ms (target 8);"
    )
    print(f"redis-py Lock in the same run: median {theirs.median:.1f} ms, p90 {theirs.p90:.1f} ms")
    print(f"hand-off through {handoff.CROWD} waiters of one process: {crowd:.2f} ms each (target 0.8)")
    return 0


def _ratios(url: str, world: World, parser: Parser, rounds: int) -> None:
    command = [sys.executable, "-m", "benchmarks.runtime.worker", url, world, parser, str(rounds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    for row in COMPARISONS:
        ratios = found[row.name]
        name = f"{row.name} ({world}, {parser})"
        spread = f"{min(ratios):.2f}..{max(ratios):.2f}"
        print(
            f"{name:36} {row.against:24} {row.target:7.2f} {statistics.median(ratios):7.3f}  {spread:>13}",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
