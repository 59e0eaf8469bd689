"""The sentences of the page that depend on what was found.

Law of this file: plain words, for readers who have never seen the code.
"""

from redis_guard.report.inventory_html.escaping import text
from redis_guard.report.inventory_model import Inventory

_COORDINATION = ("lock-like", "claim-like", "counter-like", "signal-like")


def lead(inventory: Inventory) -> str:
    """What there is, for whoever reads one paragraph only."""
    if not inventory.calls:
        return "No use of Redis was found."
    groups: dict[str, int] = dict(inventory.behaviours)
    coordination = sum(groups.get(name, 0) for name in _COORDINATION)
    endless = groups.get("durable-like", 0)
    faulty = sum(1 for group in inventory.groups if group.faults)
    nobody = sum(1 for group in inventory.groups if group.owner.ground != "codeowners")
    return text(
        f"The code calls Redis at {len(inventory.calls)} places, which work on {len(inventory.groups)} groups of keys. "
        f"{coordination} of these coordinate work (locks, claims, counters, signals), {endless} keep data without an "
        f"end. In {faulty} of them the rules find faults. Of {nobody} no CODEOWNERS file says whose they are; where "
        "their files lie is shown instead."
    )


def found_rules(inventory: Inventory) -> str:
    """The rules that found something, with how often."""
    if not inventory.rules:
        return ""
    times = dict(inventory.faults)
    items = "".join(
        f"<dt>{text(rule.code)} {text(rule.name)}: {times[rule.code]}</dt>"
        f"<dd>{text(rule.summary.replace('`', ''))}</dd>"
        for rule in inventory.rules
    )
    return f"<section><h2>Faults found</h2><dl>{items}</dl></section>"
