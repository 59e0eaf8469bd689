"""Which drafts of entries can stand side by side in one registry.

Law of this file: it asks the registry's own question, whether two templates can produce one text.
"""

from collections.abc import Iterable

from redis_guard.registry import KeyTemplate
from redis_guard.registry.helper_keys import helper_template
from redis_guard.registry.intersection import common_text, steps_of


class Accepted:
    """The keys and channels of the entries that were taken so far."""

    __slots__ = ("_channels", "_keys", "_wakes")

    def __init__(self) -> None:
        self._keys: list[KeyTemplate] = []
        self._channels: list[KeyTemplate] = []
        self._wakes: list[KeyTemplate] = []

    def take(self, template: KeyTemplate, primitive: str | None) -> bool:
        """Take an entry, unless it can meet one that was taken; `primitive` is None for a keyspace."""
        if primitive == "signal":
            free = not _meets(template, (*self._channels, *self._wakes))
            self._channels += [template] * free
            return free
        wake = helper_template(template, "wake") if primitive == "lock" else None
        if _meets(template, self._keys) or (wake is not None and _meets(wake, self._channels)):
            return False
        self._keys.append(template)
        self._wakes += [wake] if wake is not None else []
        return True


def _meets(template: KeyTemplate, others: Iterable[KeyTemplate]) -> bool:
    head, steps = _head(template), steps_of(template.parts)
    return any(
        common_text(steps, steps_of(other.parts)) is not None
        for other in others
        if head.startswith(_head(other)) or _head(other).startswith(head)
    )


def _head(template: KeyTemplate) -> str:
    first = template.parts[0]
    return first if isinstance(first, str) else ""
