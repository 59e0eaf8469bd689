"""The inventory as one page for people who read no code: charts, a table that sorts and filters, and what words mean.

Law of this package: the page asks nobody for anything and runs no script but its own, which its policy holds it to;
and whatever comes out of source code is text there.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import TextIO

from redis_guard import __version__
from redis_guard.report.inventory_html.escaping import text
from redis_guard.report.inventory_html.pieces import bars, options, tiles, words
from redis_guard.report.inventory_html.table import COLUMNS, headings, rows
from redis_guard.report.inventory_html.texts import found_rules, lead
from redis_guard.report.inventory_model import Inventory

_HERE = Path(__file__).parent


def render(inventory: Inventory, out: TextIO) -> None:
    """Write the page; characters that the stream cannot take are written as references."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    out.write(to_html(inventory).encode(encoding, "xmlcharrefreplace").decode(encoding))


def to_html(inventory: Inventory) -> str:
    """The whole page."""
    style, script = _part("page.css"), _part("page.js")
    return Template(_part("page.html")).substitute(
        policy=f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}",
        style=style,
        script=script,
        title=text(f"Redis in {inventory.project}" if inventory.project else "Redis inventory"),
        lead=lead(inventory),
        tiles=tiles(inventory),
        by_behaviour=bars(inventory.behaviours),
        by_owner=bars(inventory.owners),
        behaviour_options=options((name, name) for name, _ in inventory.behaviours),
        owner_options=options((name, name) for name, _ in sorted(inventory.owners)),
        order_options=options((str(number), name) for number, (name, _) in enumerate(COLUMNS)),
        shown=f"{len(inventory.groups)} of {len(inventory.groups)} groups",
        headings=headings(),
        rows=rows(inventory.groups),
        words=words(inventory.behaviours),
        rules=found_rules(inventory),
        version=text(__version__),
    )


def _part(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
