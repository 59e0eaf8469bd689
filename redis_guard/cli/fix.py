"""`redis-guard check` with `--fix`, `--unsafe-fixes` or `--diff`."""

import sys

import click

from redis_guard.cli.failing import user_errors
from redis_guard.cli.output import Output, opened
from redis_guard.cli.progress import progress
from redis_guard.fixing import Fixed, fix
from redis_guard.options import Options
from redis_guard.project.sources import Counters
from redis_guard.report.diff import unified


def run(options: Options, output: Output, counters: Counters, *, unsafe: bool, diff: bool) -> int:
    """The exit status: of what remains, or of a diff 1 where there is any."""
    with user_errors(), progress(counters):
        fixed = fix(options, unsafe=unsafe, write=not diff, counters=counters)
    if not diff:
        output.show(fixed.outcome)
        return fixed.outcome.status
    _show_diff(fixed, output)
    return 1 if fixed.changes and not options.exit_zero else 0


def _show_diff(fixed: Fixed, output: Output) -> None:
    where = fixed.outcome.report.places.in_working
    text = "".join(unified(where(change.path), *change.texts) for change in fixed.changes)
    if output.file is None:
        sys.stdout.write(text)
    else:
        with opened(output.file) as out:
            out.write(text)
    for note in fixed.outcome.notes:
        click.echo(note, err=True)
