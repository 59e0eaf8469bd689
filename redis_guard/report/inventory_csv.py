"""The inventory as a table of calls for spreadsheets and scripts: CSV as RFC 4180 describes it.

Law of this file: a cell is text that a spreadsheet shows, never one that it runs. What it would take for a formula
has an apostrophe before it.

Source: OWASP, "CSV Injection".
"""

import csv
import io
from typing import TextIO

from redis_guard.report.inventory_model import Inventory, InventoryCall
from redis_guard.report.printable import one_line, write

COLUMNS = (
    *("path", "line", "column", "function", "receiver", "method", "command", "form", "key", "writes", "ttl"),
    *("behaviour", "owner", "faults", "type", "asynchronous", "confidence", "how"),
)
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The signs with which formulas begin, the wide ones of East Asian keyboards too."""


def render(inventory: Inventory, out: TextIO) -> None:
    """Write a row of names and one row for each call."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    rows.writerows([_cell(value) for value in _row(call)] for call in inventory.calls)
    write(out, text.getvalue())


def _row(call: InventoryCall) -> tuple[object, ...]:
    values = {**{name: getattr(call, name) for name in COLUMNS}, "faults": " ".join(call.faults)}
    return tuple(values[name] for name in COLUMNS)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = one_line(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text
