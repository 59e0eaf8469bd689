"""The findings of `check` as JSON, one a line, and a last line with version, tool and summary.

Law of this file: each line is a part of the document that `json` writes; a report without its last line was cut off.
"""

from json import dumps
from typing import TextIO

from redis_guard.report.json import document, finding_object
from redis_guard.report.model import Report


def render(report: Report, out: TextIO) -> None:
    """Write the lines, in ASCII."""
    for finding in report.shown:
        out.write(f"{dumps(finding_object(finding))}\n")
    closing = document(report)
    del closing["findings"]
    out.write(f"{dumps(closing)}\n")
