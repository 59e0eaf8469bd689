"""`redis-guard inventory`."""

import sys
from pathlib import Path

import click

from redis_guard.cli.failing import user_errors


@click.command("inventory")
@click.argument("paths", nargs=-1)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for parsing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
def command(
    paths: tuple[str, ...], output_format: str, config: Path | None, jobs: int | None, no_cache: bool
) -> int:
    """List every use of Redis, grouped by what it amounts to.

    It knows no allows, no baseline and no test exemption: it says what is.
    """
    from redis_guard.inventory import take

    with user_errors():
        taken = take(paths, config, jobs=jobs, use_cache=not no_cache)
    if output_format == "json":
        from redis_guard.report.inventory_json import render
    else:
        from redis_guard.report.inventory_text import render
    render(taken.inventory, sys.stdout)
    for note in taken.notes:
        click.echo(note, err=True)
    return 0
