"""`redis-guard check --watch`: each outcome as it comes.

Law of this file: on a terminal one outcome is seen at a time; elsewhere they follow each other, and what is for people
is parted by a line, while documents for machines part themselves.
"""

import sys
from contextlib import closing

import click

from redis_guard.cli.output import Output
from redis_guard.mistake import Mistake
from redis_guard.options import Options
from redis_guard.watching import Turn, watch

_FOR_PEOPLE = ("text", "concise", "statistics")


def keep_watch(options: Options, output: Output) -> int:
    """Show outcomes until Ctrl-C ends it."""
    terminal = sys.stdout.isatty()
    with closing(watch(options)) as turns:
        for number, turn in enumerate(turns):
            if terminal:
                click.clear()
            elif number and output.file is None and output.form in _FOR_PEOPLE:
                click.echo(f"--- {_cause(turn)} ---")
            if isinstance(turn.outcome, Mistake):
                click.echo(str(turn.outcome), err=True)
            else:
                output.show(turn.outcome)
            # nothing waits in a buffer while the watch does
            sys.stdout.flush()
            click.echo(
                f"watching {turn.files} files; this took {turn.seconds:.2f} s; Ctrl-C ends it", err=True
            )
    return 0


def _cause(turn: Turn) -> str:
    if len(turn.changed) == 1:
        return f"{next(iter(turn.changed))} changed"
    return f"{len(turn.changed)} files changed" if turn.changed else "looked again"
