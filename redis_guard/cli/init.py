"""`redis-guard init`."""

import click

from redis_guard.cli.failing import user_errors


@click.command("init")
@click.argument("paths", nargs=-1)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for parsing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
def command(paths: tuple[str, ...], jobs: int | None, no_cache: bool) -> int:
    """Write what a project needs to start, from what its code does today.

    A registry, the module that holds the coordination object, the table [tool.redis-guard], hooks for pre-commit and
    the baseline. Nothing that exists is overwritten; what is done to each file is said. PATHS say what the registry
    is drafted from, the project is the one around the first of them.
    """
    from redis_guard.init import init

    with user_errors():
        for step in init(paths, jobs=jobs, use_cache=not no_cache):
            click.echo(f"{step.done:<11} {step.path}: {step.note}")
            if step.add:
                click.echo(f"\n{step.add}")
    return 0
