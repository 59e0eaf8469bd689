"""Run what needs a server (marker `servers`) on every server there is a promise for: `make test-servers`.

Law of this file: one line for each server; one that is missing, a failure, or a run of no tests fails the whole, and
a test that is left out is named.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from redis_guard.testing.binary import ServerUnavailable, version_of
from tests.servers.fetch import SERVERS, Source, fetch

ROOT = Path(__file__).parents[2]
FETCHED = ROOT / ".venv" / "servers"


def main(arguments: list[str]) -> int:
    return max([_on(source, arguments) for source in SERVERS])


def _on(source: Source, arguments: list[str]) -> int:
    try:
        binary = fetch(source, FETCHED)
    except ServerUnavailable as error:
        _say(f"{source}: cannot be had: {error}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-m", "servers", "--tb=short", f"--junitxml={report}", *arguments],
            cwd=ROOT, env={**os.environ, "REDIS_GUARD_SERVER": str(binary)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        suite = ElementTree.parse(report).getroot().find("testsuite") if report.exists() else None
    if done.returncode or suite is None:
        _say(done.stdout + done.stderr)
    counts = {name: int(suite.get(name, 0)) if suite is not None else 0 for name in _COUNTED}
    left_out = counts["skipped"]
    failed = counts["failures"] + counts["errors"]
    _say(
        f"{version_of(binary)}: {counts['tests'] - left_out - failed} passed, {failed} failed, {left_out} left out"
    )
    for case in suite.iter("testcase") if suite is not None else ():
        if (skipped := case.find("skipped")) is not None:
            _say(f"  left out: {case.get('name')}: {skipped.get('message')}")
    return int(done.returncode != 0)


_COUNTED = ("tests", "failures", "errors", "skipped")


def _say(text: str) -> None:
    sys.stdout.write(f"{text.rstrip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
