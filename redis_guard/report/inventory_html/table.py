"""The table of groups: a row each, with what it is sorted by.

Law of this file: each cell says what column it is in, since a phone shows no head.
"""

from collections.abc import Iterable

from redis_guard.registry import DurationError, format_duration, parse_duration
from redis_guard.report.inventory_html.escaping import text
from redis_guard.report.inventory_model import InventoryGroup
from redis_guard.report.inventory_text import counts

COLUMNS = (
    ("behaviour", "text"),
    ("key", "text"),
    ("owner", "text"),
    ("calls", "number"),
    ("files", "number"),
    ("lifetimes", "text"),
    ("faults", "number"),
)
"""Names, and what they are sorted as."""

_GROUNDS = {
    "codeowners": "named by CODEOWNERS",
    "path": "guessed from where the files are",
    "nothing": "nothing says whose it is",
}


def headings() -> str:
    """The cells of the table's head, each a button that sorts."""
    return "".join(
        f'<th scope="col" aria-sort="none" data-kind="{kind}"><button type="button">{name}</button></th>'
        for name, kind in COLUMNS
    )


def rows(groups: Iterable[InventoryGroup]) -> str:
    """One row for each group."""
    return "\n".join(_row(group) for group in groups)


def _row(group: InventoryGroup) -> str:
    faults = sum(number for _, number in group.faults)
    key = "(no key)" if group.key is None else group.key
    cells = (
        (group.behaviour, text(group.behaviour)),
        (key, _sites(key, group)),
        (group.owner.owner, f'<span title="{_GROUNDS[group.owner.ground]}">{text(group.owner.owner)}</span>'),
        (group.calls, str(group.calls)),
        (group.files, str(group.files)),
        (lifetimes := ", ".join(map(_spoken, group.lifetimes)), text(lifetimes)),
        (faults, f'<span class="fault">{text(counts(group.faults))}</span>'),
    )
    shown = "".join(
        f'<td data-name="{name}" data-sort="{text(value)}"><span>{cell}</span></td>'
        for (name, _), (value, cell) in zip(COLUMNS, cells, strict=True)
    )
    return (
        f'<tr data-behaviour="{text(group.behaviour)}" data-owner="{text(group.owner.owner)}" '
        f'data-faults="{faults}">{shown}</tr>'
    )


def _spoken(lifetime: str) -> str:
    """`7d` for `604800s`; `variable`, and what is too long for a registry, stay as they are."""
    try:
        return format_duration(parse_duration(lifetime))
    except DurationError:
        return lifetime


def _sites(key: str, group: InventoryGroup) -> str:
    places = "".join(f"<li><code>{text(f'{path}:{line}')}</code></li>" for path, line, _ in group.sites)
    return f"<details><summary><code>{text(key)}</code></summary><ul>{places}</ul></details>"
