"""Where the report of `check` goes, and in which form."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from redis_guard.cli.failing import UserError

if TYPE_CHECKING:
    from redis_guard.check import Outcome


@dataclass(frozen=True, slots=True)
class Output:
    """What the command line says of it."""

    form: str
    """One of the report's formats."""
    file: Path | None
    """None for the standard output."""
    verbose: bool

    def show(self, outcome: "Outcome") -> None:
        """Write the report, and what else there is to say to the standard error. Raises UserError."""
        from redis_guard.report import remarks, renderer

        render = renderer(self.form)
        if self.file is None:
            render(outcome.report, sys.stdout)
        else:
            with opened(self.file) as out:
                render(outcome.report, out)
        for note in (*outcome.notes, *remarks(self.form, outcome.report)):
            click.echo(note, err=True)
        if self.verbose:
            for text in outcome.tracebacks:
                click.echo(text, err=True)


def opened(path: Path) -> TextIO:
    """The file of `--output-file`, for writing. Raises UserError."""
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"--output-file {path}: {error.strerror or error}") from None
