"""What one run of `check` is asked, and what of its configuration silences findings.

Law of this file: plain values that every step of a run may read.
"""

from dataclasses import dataclass
from pathlib import Path

from redis_guard.config import TEST_ESCAPE, Allow, Config
from redis_guard.finding import Severity


@dataclass(frozen=True, slots=True)
class Options:
    """What one run is asked; None leaves the word to the configuration."""

    paths: tuple[str, ...] = ()
    config: Path | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fail_on: Severity | None = None
    exit_zero: bool = False
    baseline: Path | None = None
    write_baseline: bool = False
    prune_baseline: bool = False
    error_stale_baseline: bool = False
    add_allow: str | None = None
    """The reason to write beside every finding."""
    stdin: tuple[str, bytes] | None = None
    """The path that standard input stands for, and its bytes."""
    use_cache: bool = True
    jobs: int | None = None
    show_suppressed: bool = False


def own_tables(config: Config) -> tuple[Allow, ...]:
    """The allows that somebody wrote; the escape for tests is nobody's."""
    return tuple(table for table in config.allow if table is not TEST_ESCAPE)
