"""`redis-guard migrate`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from redis_guard.cli.failing import user_errors

if TYPE_CHECKING:
    from redis_guard.migrating import Migrated


@click.command("migrate")
@click.argument("paths", nargs=-1)
@click.option("--use-case", "use_case", required=True, metavar="NAME", help="A use case of the registry.")
@click.option("--diff/--apply", "diff", default=True, help="Show what would change (default), or change it.")
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for parsing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
def command(
    paths: tuple[str, ...], use_case: str, diff: bool, config: Path | None, jobs: int | None, no_cache: bool
) -> int:
    """Rewrite the call sites of one use case to the runtime.

    Call sites are the direct calls on the use case's key. A file is rewritten wholly or not at all; what is left is
    listed with the reason. Exit status: 0 all call sites are rewritten, or there are none; 1 some are left; 2 the work
    could not be done.
    """
    from redis_guard.migrating import migrate
    from redis_guard.report.diff import unified

    with user_errors():
        done = migrate(paths, use_case, write=not diff, explicit=config, jobs=jobs, use_cache=not no_cache)
    if diff:
        sys.stdout.write("".join(unified(change.path, *change.texts) for change in done.changes))
    _tell(done, diff)
    return 1 if done.left else 0


def _tell(done: "Migrated", diff: bool) -> None:
    """What is left and what is to be known; beside a diff on the standard error, so that the diff can be piped."""
    for said in done.notes:
        click.echo(f"{said.path}:{said.line}:{said.column}: note: {said.text}", err=diff)
    for said in done.left:
        click.echo(f"{said.path}:{said.line}:{said.column}: not rewritten: {said.text}", err=diff)
    for remark in done.remarks:
        click.echo(remark, err=True)
    click.echo(_summary(done, diff), err=diff)


def _summary(done: "Migrated", diff: bool) -> str:
    name, left = done.use_case.name, len(done.left)
    if not done.changes and not left:
        return f"nothing to do: no direct call on {done.use_case.key.text} of {name}"
    files = len(done.changes)
    verb = "would rewrite" if diff else "rewrote"
    text = f"{verb} {done.rewritten} call site{'s' * (done.rewritten != 1)} of {name}"
    text += f" in {files} file{'s' * (files != 1)}"
    return f"{text}; {left} left" if left else text
