"""The small parts of the page: tiles, bars, choices, a glossary.

Law of this file: no style and no script within an element, which the page's policy would refuse.
"""

from collections.abc import Iterable, Sequence

from redis_guard.behaviour.terms import MEANINGS, Behaviour
from redis_guard.report.inventory_html.escaping import text
from redis_guard.report.inventory_model import Inventory


def tiles(inventory: Inventory) -> str:
    """The sums."""
    named = (
        (len(inventory.groups), "groups of keys"),
        (len(inventory.calls), "calls"),
        (inventory.files, "files"),
        (len(inventory.owners), "owners"),
        (sum(number for _, number in inventory.faults), "faults"),
    )
    return "".join(f"<li><b>{number}</b>{name}</li>" for number, name in named)


def bars(counted: Sequence[tuple[str, int]]) -> str:
    """A bar for each count, the longest as wide as there is room."""
    most = max((number for _, number in counted), default=1)
    return '<ul class="bars">' + "".join(_bar(name, number, most) for name, number in counted) + "</ul>"


def _bar(name: str, number: int, most: int) -> str:
    return (
        f"<li><span>{text(name)}</span>"
        f'<svg aria-hidden="true"><rect width="{100 * number / most:.1f}%" height="100%" rx="2"/></svg>'
        f'<span class="number">{number}</span></li>'
    )


def options(pairs: Iterable[tuple[str, str]]) -> str:
    """Choices of a select: what they stand for, and what is shown."""
    return "".join(f'<option value="{text(value)}">{text(shown)}</option>' for value, shown in pairs)


def words(behaviours: Iterable[tuple[Behaviour, int]]) -> str:
    """What the behaviours that were found mean."""
    return "".join(f"<dt>{name}</dt><dd>{text(MEANINGS[name])}</dd>" for name, _ in behaviours)
