"""`redis-guard registry check`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from redis_guard.cli.failing import user_errors
from redis_guard.cli.registry.files import registry_files

if TYPE_CHECKING:
    from redis_guard.registry import Problem, Registry


@click.command("check")
@click.argument("files", nargs=-1)
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
def command(files: tuple[str, ...], config: Path | None) -> int:
    """Load the whole registry and list everything that is wrong with it.

    FILES are paths or patterns that form one set; without them it is what the project's configuration names. Exit
    status: 0 nothing is wrong (warnings at most), 1 something is, 2 the work could not be done.
    """
    from redis_guard.registry import RegistryError, read_registry

    with user_errors():
        paths = registry_files(files, config)
    try:
        registry = read_registry(paths)
    except RegistryError as error:
        return _told(error.problems)
    status = _told(registry.problems)
    if status == 0:
        click.echo(_summary(registry, paths))
    return status


def _told(problems: "tuple[Problem, ...]") -> int:
    """Print all; the exit status that the worst of them gives."""
    for problem in problems:
        warning = "warning: " if problem.is_warning else ""
        click.echo(f"{problem.place}: {warning}{problem.message}")
    wrong = [problem for problem in problems if not problem.is_warning]
    if wrong:
        click.echo(f"{_count(len(wrong), 'problem')} in the registry", err=True)
    return 2 if any(problem.kind == "unreadable-file" for problem in wrong) else int(bool(wrong))


def _summary(registry: "Registry", paths: list[Path]) -> str:
    if not paths:
        return "there is no registry: no file is configured, and redis_guard.yaml is not there"
    entries = _count(len(registry.entries), "entry", "entries")
    kinds = f"{_count(len(registry.use_cases), 'use case')}, {_count(len(registry.keyspaces), 'keyspace')}"
    return f"{entries} ({kinds}) of {_count(len(registry.owners), 'owner')} in {_count(len(paths), 'file')}"


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
