"""A user's mistake as lines on the standard error and exit status 2."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from redis_guard.mistake import Mistake


class UserError(click.ClickException):
    """Lines that say what is wrong and what to do."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(self.format_message(), err=True)


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the mistakes that use cases raise into lines."""
    try:
        yield
    except Mistake as mistake:
        raise UserError(str(mistake)) from None
