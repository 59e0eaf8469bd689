"""The group of subcommands, each loaded when it is called, and how errors leave the program."""

from collections.abc import Sequence

import click

from redis_guard import __version__
from redis_guard.cli.lazy import LazyGroup

_SUBCOMMANDS = {
    "check": "Report direct Redis calls, races and missing lifetimes.",
    "config": "Print the schema of the configuration.",
    "init": "Write what a project needs to start, from what its code does today.",
    "inventory": "List every use of Redis, grouped by what it amounts to.",
    "migrate": "Rewrite the call sites of one use case to the runtime.",
    "registry": "Check the registry; print its schema; write its names for type checkers.",
    "rule": "Explain a rule.",
}


@click.command(
    cls=LazyGroup,
    package="redis_guard.cli",
    summaries=_SUBCOMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="redis-guard %(version)s")
def group() -> None:
    """Give every Redis key an owner: check code against one registry."""


def run(argv: Sequence[str]) -> int:
    """Run one subcommand; 0, 1 or 2 as the design of exit statuses says."""
    try:
        status = group.main(args=list(argv), prog_name="redis-guard", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.exceptions.Abort:
        return 130
    return status if isinstance(status, int) else 0
