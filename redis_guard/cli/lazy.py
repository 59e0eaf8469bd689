"""A group of subcommands, each in a file of its own that is loaded when it is called.

Law of this file: help for a group loads none of them.
"""

from collections.abc import Mapping
from importlib import import_module

import click


class LazyGroup(click.Group):
    """Finds a subcommand as `command` in the module of its name within `package`; `summaries` lists them."""

    def __init__(
        self, *args: object, package: str, summaries: Mapping[str, str], **attributes: object
    ) -> None:
        # what click.command hands on is typed by the options that it is given
        super().__init__(*args, **attributes)  # type: ignore[arg-type]
        self._package = package
        self._summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._summaries:
            return None
        command: click.Command = import_module(f"{self._package}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))
