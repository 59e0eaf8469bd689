"""How often each rule speaks, as JSON, version 1, for `--statistics --output-format json`.

Law of this file: within a version fields are added, never renamed, removed or given another meaning.
"""

from json import dumps
from typing import TextIO

from redis_guard.report.model import Report

VERSION = 1


def render(report: Report, out: TextIO) -> None:
    """Write one object: the number of findings by rule, in order of codes."""
    out.write(dumps({"version": VERSION, "by_rule": report.summary.by_rule}, indent=2) + "\n")
