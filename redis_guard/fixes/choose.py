"""Which of many fixes of one file go in together.

Law of this file: a fix goes in whole or not at all, and one that stays out is named with the reason.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.edits import EditError, apply_edits, locate
from redis_guard.lines import Lines

_Place = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A fix that was left out, and why."""

    fix: Fix
    why: str


@dataclass(frozen=True, slots=True)
class Applied:
    """A text after its fixes, those that went in, and those that did not."""

    text: str
    done: tuple[Fix, ...]
    skipped: tuple[Skipped, ...]


def apply_fixes(text: str, fixes: Iterable[Fix], parses: Callable[[str], bool] | None = None) -> Applied:
    """Apply every fix that fits beside the others; of two that overlap the outer one goes in.

    `parses` says whether a text is still a program: a fix after which it is not is left out.
    """
    lines = Lines.of(text)
    chosen: list[Fix] = []
    taken: list[_Place] = []
    skipped: list[Skipped] = []
    for fix, places in _outer_first(lines, fixes, skipped):
        if any(
            _collide(place, other) for place in places for other in taken if not _shared(lines, place, other)
        ):
            skipped.append(Skipped(fix, "it overlaps another fix; run again to apply it"))
        else:
            chosen.append(fix)
            taken += places
    result = _together(text, chosen)
    if parses is not None and not parses(result):
        chosen, broken = _harmless(text, chosen, parses)
        skipped += broken
        result = _together(text, chosen)
    return Applied(result, tuple(chosen), tuple(skipped))


def _outer_first(
    lines: Lines, fixes: Iterable[Fix], skipped: list[Skipped]
) -> Iterator[tuple[Fix, list[_Place]]]:
    found = []
    for fix in fixes:
        try:
            places = [(start, end, edit.text) for start, end, edit in (locate(lines, e) for e in fix.edits)]
            apply_edits(lines.text, fix.edits)
        except EditError as error:
            skipped.append(Skipped(fix, f"it does not fit the file: {error}"))
            continue
        if places:
            found.append((fix, places))
    yield from sorted(found, key=lambda item: (min(item[1])[0], -max(end for _, end, _ in item[1])))


def _collide(one: _Place, other: _Place) -> bool:
    if one[0] == one[1] == other[0] == other[1]:
        return True
    return one[0] < other[1] and other[0] < one[1]


def _shared(lines: Lines, one: _Place, other: _Place) -> bool:
    """Whether two fixes want the same whole line inserted, as an import: then it is inserted once."""
    return (
        one == other
        and one[0] == one[1]
        and one[2].endswith(("\n", "\r"))
        and (one[0] == len(lines.text) or one[0] in lines.starts)
    )


def _together(text: str, fixes: Iterable[Fix]) -> str:
    lines = Lines.of(text)
    seen: list[_Place] = []
    edits = []
    for fix in fixes:
        mine = [(locate(lines, edit)[:2], edit) for edit in fix.edits]
        for (start, end), edit in mine:
            place = (start, end, edit.text)
            if not any(_shared(lines, place, other) for other in seen):
                edits.append(edit)
        seen += [(start, end, edit.text) for (start, end), edit in mine]
    return apply_edits(text, edits)


def _harmless(
    text: str, fixes: Iterable[Fix], parses: Callable[[str], bool]
) -> tuple[list[Fix], list[Skipped]]:
    kept: list[Fix] = []
    broken = []
    for fix in fixes:
        if parses(_together(text, [*kept, fix])):
            kept.append(fix)
        else:
            broken.append(Skipped(fix, "the file would no longer parse"))
    return kept, broken
