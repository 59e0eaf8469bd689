"""`redis-guard check`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from redis_guard.cli.failing import UserError, user_errors
from redis_guard.cli.output import Output, opened
from redis_guard.finding import Severity

if TYPE_CHECKING:
    from redis_guard.options import Options

_LIST = "codes (RG201), beginnings of codes (RG2), names (missing-ttl) or ALL, comma separated"
_FORMATS = ("text", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit", "rdjson")
"""Told here as well, so that help loads no format."""


def _selectors(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for text in value for part in text.split(",") if part.strip())


@click.command("check")
@click.argument("paths", nargs=-1)
@click.option("--select", multiple=True, callback=_selectors, help=f"Judge by these rules only: {_LIST}.")
@click.option("--ignore", multiple=True, callback=_selectors, help="Leave these rules out.")
@click.option("--extend-select", multiple=True, callback=_selectors, help="Judge by these rules as well.")
@click.option("--fix", is_flag=True, help="Put right what can be put right safely.")
@click.option("--unsafe-fixes", is_flag=True, help="Put right as well what takes something for granted.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--output-format", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--output-file", type=click.Path(dir_okay=False, path_type=Path), help="Write the report there."
)
@click.option(
    "--statistics", is_flag=True, help="Count findings by rule instead of listing them (text or json)."
)
@click.option(
    "--baseline", type=click.Path(dir_okay=False, path_type=Path), help="Old findings, not to be reported."
)
@click.option("--write-baseline", is_flag=True, help="Record all findings as old ones.")
@click.option("--prune-baseline", is_flag=True, help="Drop entries that silence nothing.")
@click.option("--error-stale-baseline", is_flag=True, help="Fail where a baseline entry silences nothing.")
@click.option(
    "--add-allow", metavar="REASON", help="Write an allow comment with this reason beside every finding."
)
@click.option("--show-suppressed", is_flag=True, help="List suppressed findings too.")
@click.option(
    "--show-settings", is_flag=True, help="Show what is set, and where, instead of checking (text or json)."
)
@click.option("--stdin-filename", metavar="PATH", help="Check standard input as if it were this file.")
@click.option(
    "--fail-on", type=click.Choice([s.value for s in Severity]), help="Least severity for exit status 1."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="A file with [tool.redis-guard]."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for parsing.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--verbose", is_flag=True, help="Show tracebacks of internal errors.")
def command(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    output_format: str,
    output_file: Path | None,
    statistics: bool,
    baseline: Path | None,
    write_baseline: bool,
    prune_baseline: bool,
    error_stale_baseline: bool,
    add_allow: str | None,
    show_suppressed: bool,
    show_settings: bool,
    stdin_filename: str | None,
    fail_on: str | None,
    exit_zero: bool,
    config: Path | None,
    jobs: int | None,
    no_cache: bool,
    watch: bool,
    verbose: bool,
) -> int:
    """Report direct Redis calls, races and missing lifetimes.

    PATHS say what is reported; knowledge comes from the whole project around them. Exit status: 0 nothing to report,
    1 findings at or above --fail-on, 2 the work could not be done.
    """
    from redis_guard.check import check
    from redis_guard.cli.progress import progress
    from redis_guard.options import Options
    from redis_guard.project.sources import Counters

    if sum((write_baseline, prune_baseline, add_allow is not None)) > 1:
        raise click.UsageError("--write-baseline, --prune-baseline and --add-allow exclude each other")
    if error_stale_baseline and (write_baseline or prune_baseline):
        raise click.UsageError(
            "--error-stale-baseline changes no baseline: --write-baseline and --prune-baseline do"
        )
    fixes = fix or unsafe_fixes or diff
    if fixes and (write_baseline or prune_baseline or add_allow is not None):
        raise click.UsageError(
            "fixes do not go with --write-baseline, --prune-baseline and --add-allow; fix first"
        )
    if fixes and (watch or show_settings):
        raise click.UsageError("fixes go neither with --watch nor with --show-settings")
    if (fix or unsafe_fixes) and not diff and stdin_filename is not None:
        raise click.UsageError("standard input cannot be written back; --diff shows the fixes")
    if watch and (write_baseline or prune_baseline or add_allow is not None):
        raise click.UsageError("--watch only looks: it does not go with what writes files")
    if watch and (show_settings or stdin_filename is not None):
        raise click.UsageError("--watch goes neither with --show-settings nor with --stdin-filename")
    options = Options(
        paths=_paths(paths, stdin_filename),
        config=config,
        select=select or None,
        ignore=ignore,
        extend_select=extend_select,
        fail_on=None if fail_on is None else Severity(fail_on),
        exit_zero=exit_zero,
        baseline=baseline,
        write_baseline=write_baseline,
        prune_baseline=prune_baseline,
        error_stale_baseline=error_stale_baseline,
        add_allow=add_allow,
        stdin=None if stdin_filename is None else (stdin_filename, _standard_input()),
        use_cache=not no_cache,
        jobs=jobs,
        show_suppressed=show_suppressed,
    )
    if show_settings:
        return _show_settings(options, output_format, output_file)
    output = Output(_counted(output_format) if statistics else output_format, output_file, verbose)
    if watch:
        from redis_guard.cli.watch import keep_watch

        return keep_watch(options, output)
    counters = Counters()
    if fixes:
        from redis_guard.cli.fix import run

        return run(options, output, counters, unsafe=unsafe_fixes, diff=diff)
    with user_errors(), progress(counters):
        outcome = check(options, counters)
    output.show(outcome)
    return outcome.status


def _counted(output_format: str) -> str:
    """The format of `--statistics`."""
    if output_format not in ("text", "json"):
        raise click.UsageError("--statistics writes --output-format text or json")
    return "statistics" if output_format == "text" else "statistics-json"


def _show_settings(options: "Options", output_format: str, output_file: Path | None) -> int:
    from redis_guard.effective import effective

    if output_format == "json":
        from redis_guard.report.settings_json import render
    elif output_format == "text":
        from redis_guard.report.settings_text import render
    else:
        raise click.UsageError("--show-settings writes --output-format text or json")
    with user_errors():
        shown = effective(options)
    if output_file is None:
        render(shown, sys.stdout)
    else:
        with opened(output_file) as out:
            render(shown, out)
    return 0


def _paths(paths: tuple[str, ...], stdin_filename: str | None) -> tuple[str, ...]:
    if stdin_filename is None:
        if "-" in paths:
            raise click.UsageError(
                "`-` needs --stdin-filename PATH: say which file standard input stands for"
            )
        return paths
    if paths not in ((), ("-",)):
        raise click.UsageError("--stdin-filename checks standard input alone: give no other path than `-`")
    return ()


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UserError("--stdin-filename: standard input is closed")
    return sys.stdin.buffer.read()
