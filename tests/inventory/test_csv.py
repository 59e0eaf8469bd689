"""The inventory as CSV: whatever reads CSV gets a row for each call, and no spreadsheet runs anything."""

import csv
import io

import pytest

from redis_guard.report import inventory_csv
from redis_guard.report.inventory_model import Inventory


def table(inventory: Inventory) -> tuple[str, list[dict[str, str]]]:
    out = io.StringIO(newline="")
    inventory_csv.render(inventory, out)
    return out.getvalue(), list(csv.DictReader(io.StringIO(out.getvalue(), newline=""), strict=True))


def test_there_is_a_row_for_each_call_of_the_shop(shop: Inventory) -> None:
    _, rows = table(shop)

    assert [(row["path"], int(row["line"]), int(row["column"]), row["method"]) for row in rows] == [
        (call.path, call.line, call.column, call.method) for call in shop.calls
    ]
    (count,) = [row for row in rows if row["path"] == "shop/limits.py" and row["faults"] == "RG202"]
    assert (count["key"], count["behaviour"], count["writes"], count["owner"]) == (
        "login:{account}:attempts",
        "counter-like",
        "yes",
        "shop",
    )


def test_lines_end_as_the_rfc_says(shop: Inventory) -> None:
    text, rows = table(shop)

    assert text.count("\r\n") == text.count("\n") == len(rows) + 1


def test_no_cell_is_a_formula_and_no_call_has_two_rows(hostile: Inventory) -> None:
    text, rows = table(hostile)

    assert len(rows) == len(hostile.calls)
    for row in rows:
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert "\x1b" not in text
    assert any(row["key"].startswith("'=cmd|") for row in rows)
    assert any(row["owner"].startswith("'@org/") for row in rows)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_stream_that_cannot_spell_a_name_gets_it_escaped(hostile: Inventory, encoding: str) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, newline="")
    inventory_csv.render(hostile, out)
    out.flush()

    assert b"emoji \\U0001f600" in raw.getvalue()
