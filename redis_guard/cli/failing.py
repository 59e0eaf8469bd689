"""What the use cases raise for a user's mistake, as lines on the standard error and exit status 2."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from redis_guard.config import ConfigError
from redis_guard.registry.problems import RegistryError
from redis_guard.select import SelectorError
from redis_guard.silence.baseline_file import BaselineError
from redis_guard.silencing import ReasonError
from redis_guard.source.requested import PathError


class UserError(click.ClickException):
    """Lines that say what is wrong and what to do."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(self.format_message(), err=True)


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the known errors of the use cases into lines."""
    try:
        yield
    except (ConfigError, RegistryError, PathError, SelectorError, BaselineError, ReasonError) as error:
        raise UserError(str(error)) from None
