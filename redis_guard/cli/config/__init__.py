"""`redis-guard config`: one file per subcommand."""

import click

from redis_guard.cli.lazy import LazyGroup

_SUBCOMMANDS = {"schema": "Print the JSON Schema of [tool.redis-guard]."}


@click.command("config", cls=LazyGroup, package=__name__, summaries=_SUBCOMMANDS)
def command() -> None:
    """Describe the configuration; `redis-guard check --show-settings` says what is set here."""
