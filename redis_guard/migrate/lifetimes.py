"""What is said about lifetimes: the runtime takes the registry's.

Law of this file: notes alone; a difference is no reason to leave a call site.
"""

from redis_guard.behaviour.durations import lifetime_ms, lifetime_text
from redis_guard.finding import Span
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site
from redis_guard.registry import format_duration


def note_lifetime(page: Page, site: Site) -> None:
    """Say where the code gives another lifetime than the registry."""
    if lifetime_text(site.call) is not None:
        note_milliseconds(page, site.call.span, lifetime_ms(site.call))


def note_milliseconds(page: Page, span: Span, milliseconds: int | None) -> None:
    """The same of a number; None where it is decided at run time."""
    ours = page.target.case.ttl_ms
    registered = "none" if ours is None else format_duration(ours)
    if milliseconds is None:
        page.note(
            span, f"the lifetime is decided at run time here; the runtime takes the registry's {registered}"
        )
    elif milliseconds != ours:
        page.note(
            span,
            f"the lifetime is {format_duration(milliseconds)} here; the runtime takes the registry's {registered}",
        )
