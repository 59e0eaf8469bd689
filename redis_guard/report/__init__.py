"""Findings as text for people and machines.

Law of this package: a format only shows what a `Report` holds; it judges nothing and reads no file by itself.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TextIO, cast

from redis_guard.report.model import Report, Summary

__all__ = ["FORMATS", "Render", "Report", "Summary", "remarks", "renderer"]

Render = Callable[[Report, TextIO], None]

FORMATS: Mapping[str, str] = {
    "text": "redis_guard.report.text",
    "concise": "redis_guard.report.concise",
    "json": "redis_guard.report.json",
    "jsonl": "redis_guard.report.jsonl",
    "github": "redis_guard.report.github",
    "gitlab": "redis_guard.report.gitlab",
    "sarif": "redis_guard.report.sarif",
    "junit": "redis_guard.report.junit",
    "rdjson": "redis_guard.report.rdjson",
    "statistics": "redis_guard.report.statistics",
    "statistics-json": "redis_guard.report.statistics_json",
}
"""Each format's module, which is imported when it is used. All of them offer `render(report, out)`."""


def renderer(name: str) -> Render:
    """The function that writes a report in a format. Raises KeyError for a name that is no format."""
    return cast(Render, import_module(FORMATS[name]).render)


def remarks(name: str, report: Report) -> tuple[str, ...]:
    """Lines for the standard error on what the readers of a format leave out."""
    if name not in ("github", "sarif"):
        return ()
    from redis_guard.report.limits import limits

    return tuple(limits(name, report))
