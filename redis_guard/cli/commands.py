"""The group of subcommands, each loaded when it is called, and how errors leave the program."""

from collections.abc import Sequence
from importlib import import_module

import click

from redis_guard import __version__

_SUBCOMMANDS = {
    "check": "Report direct Redis calls, races and missing lifetimes.",
    "inventory": "List every use of Redis, grouped by what it amounts to.",
    "rule": "Explain a rule.",
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _SUBCOMMANDS:
            return None
        command: click.Command = import_module(f"redis_guard.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # help for the group must not load the subcommands
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUBCOMMANDS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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
