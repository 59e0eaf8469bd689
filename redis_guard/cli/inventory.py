"""`redis-guard inventory`."""

import sys
from importlib import import_module
from pathlib import Path

import click

from redis_guard.cli.failing import user_errors
from redis_guard.cli.output import opened

_FORMATS = ("text", "json", "csv", "yaml", "html")


@click.command("inventory")
@click.argument("paths", nargs=-1)
@click.option("--output-format", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--output-file", type=click.Path(dir_okay=False, path_type=Path), help="Write the inventory there."
)
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for parsing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
def command(
    paths: tuple[str, ...],
    output_format: str,
    output_file: Path | None,
    config: Path | None,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """List every use of Redis, grouped by what it amounts to, with owners, lifetimes and faults.

    It knows no allows, no baseline and no test exemption: it says what is. csv has a row for each call, yaml proposes
    a registry, html is one page with charts and a table.
    """
    from redis_guard.inventory import take

    with user_errors():
        taken = take(paths, config, jobs=jobs, use_cache=not no_cache)
    render = import_module(f"redis_guard.report.inventory_{output_format}").render
    if output_file is None:
        render(taken.inventory, sys.stdout)
    else:
        with opened(output_file) as out:
            render(taken.inventory, out)
    for note in taken.notes:
        click.echo(note, err=True)
    return 0
