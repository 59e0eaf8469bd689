"""One world with one parser in a process of its own: measures the comparisons it is asked for, writes them as JSON.

Law of this file: both sides of a comparison run in turn, in short rounds, in this one process.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable

from benchmarks.runtime.rows import COMPARISONS

OPERATIONS = 250
"""In one round of one side."""


def main(argv: list[str]) -> int:
    """URL, world, parser, rounds."""
    url, world, parser, rounds = argv
    if parser == "python":
        # redis-py takes its own parser where hiredis cannot be imported.
        sys.modules["hiredis"] = None  # type: ignore[assignment]
    ratios = asyncio.run(_asyncio(url, int(rounds))) if world == "asyncio" else _sync(url, int(rounds))
    json.dump(ratios, sys.stdout)
    return 0


def _sync(url: str, rounds: int) -> dict[str, list[float]]:
    from benchmarks.runtime.sync import operations

    def seconds(operation: Callable[[], object]) -> float:
        begin = time.perf_counter()
        for _ in range(OPERATIONS):
            operation()
        return time.perf_counter() - begin

    found: dict[str, list[float]] = {}
    with operations(url) as known:
        for row in COMPARISONS:
            ours, theirs = known[row.ours], known[row.theirs]
            seconds(ours), seconds(theirs)
            found[row.name] = [seconds(ours) / seconds(theirs) for _ in range(rounds)]
    return found


async def _asyncio(url: str, rounds: int) -> dict[str, list[float]]:
    from benchmarks.runtime.asynchronous import operations

    async def seconds(operation: Callable[[], Awaitable[object]]) -> float:
        begin = time.perf_counter()
        for _ in range(OPERATIONS):
            await operation()
        return time.perf_counter() - begin

    found: dict[str, list[float]] = {}
    async with operations(url) as known:
        for row in COMPARISONS:
            ours, theirs = known[row.ours], known[row.theirs]
            await seconds(ours), await seconds(theirs)
            found[row.name] = [await seconds(ours) / await seconds(theirs) for _ in range(rounds)]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
