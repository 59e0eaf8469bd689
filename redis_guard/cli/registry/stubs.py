"""`redis-guard registry stubs`."""

from pathlib import Path

import click

from redis_guard.cli.failing import user_errors
from redis_guard.cli.registry.files import registry_files


@click.command("stubs")
@click.argument("files", nargs=-1)
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
def command(files: tuple[str, ...], config: Path | None) -> int:
    """Print a Python module whose Coordination takes registered names only.

    Import Coordination from it instead of from redis_guard.runtime, and type checkers refuse a wrong name, a name of
    another primitive and a wrong number of identifiers. FILES are paths or patterns that form one set; without them
    it is what the project's configuration names.
    """
    from redis_guard.registry import load_registry
    from redis_guard.report.registry_stubs import stubs

    with user_errors():
        registry = load_registry(registry_files(files, config))
    click.echo(stubs(registry), nl=False)
    return 0
