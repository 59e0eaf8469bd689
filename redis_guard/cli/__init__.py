"""The command line: argv to use case to report. One file per subcommand.

Law of this package: a user's mistake is one clear line and exit status 2, never a traceback.
"""

import sys
from collections.abc import Sequence

from redis_guard.cli.streams import guarded


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(guarded(lambda: _run(argv)))


def _run(argv: Sequence[str]) -> int:
    if argv in (["--version"], ["-V"]):
        # asked by every wrapper at every start: no library is loaded for it
        from redis_guard import __version__

        sys.stdout.write(f"redis-guard {__version__}\n")
        return 0
    from redis_guard.cli.commands import run

    return run(argv)
