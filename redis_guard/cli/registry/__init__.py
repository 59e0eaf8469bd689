"""`redis-guard registry`: one file per subcommand."""

import click

from redis_guard.cli.lazy import LazyGroup

_SUBCOMMANDS = {
    "check": "Load the whole registry and list everything that is wrong with it.",
    "schema": "Print the JSON Schema of registry files.",
    "stubs": "Print the registered names as a typed Python module.",
}


@click.command("registry", cls=LazyGroup, package=__name__, summaries=_SUBCOMMANDS)
def command() -> None:
    """Check the registry, which gives every key an owner."""
