"""What the comments of one file do to its findings.

Law of this file: an allow without reason, rule or statement silences nothing, and is named.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from redis_guard.finding import Block, Comment, Finding, Span
from redis_guard.lines import Lines
from redis_guard.silence import noqa
from redis_guard.silence.comments import SHAPE, Allow, Malformed, parse, unknown
from redis_guard.silence.reason import is_reason
from redis_guard.silence.removal import remove
from redis_guard.silence.scope import covered
from redis_guard.silence.selectors import resolve
from redis_guard.silence.verdicts import unreasoned, unused


@dataclass(frozen=True, slots=True)
class FileMarks:
    """What the facts of one file give this package.

    To silence, only comments that mention `redis` or `noqa` are needed, and without such comments no
    blocks; to add allows, the blocks are needed in any case.
    """

    comments: tuple[Comment, ...] = ()
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class _Power:
    """What one selector of one valid allow can silence."""

    allow: Allow
    selector: str
    codes: frozenset[str]
    lines: range


def silence_file(
    path: str,
    findings: Iterable[Finding],
    marks: FileMarks,
    names: Mapping[str, str],
    active: Collection[str],
    text: Callable[[], str | None],
) -> Iterator[Finding]:
    """The findings of one file, silenced where its comments say so, and findings about those comments.

    `names` maps every rule's code to its name; `active` holds the codes that this run judges. `text` gives
    the file's text when a repair needs it.
    """
    written = [found for comment in marks.comments for found in parse(comment, names)]
    for found in written:
        yield from _faults(path, found, names)
    powers = [power for found in written for power in _powers(found, marks.blocks, names)]
    noqas = list(noqa.parse(marks.comments))
    whole_file = noqa.skips_file(marks.comments)
    exercised: set[int] = set()
    obeyed: dict[int, bool] = {}  # whether a noqa silences anything that no allow does
    for finding in findings:
        line = finding.span.line
        able = [i for i, power in enumerate(powers) if line in power.lines and finding.code in power.codes]
        hushed = [i for i, item in enumerate(noqas) if item.silences(finding.code, line)]
        exercised.update(able)
        for i in hushed:
            obeyed[i] = obeyed.get(i, False) or not able
        if able:
            yield replace(finding, suppressed="allow", reason=powers[able[0]].allow.reason)
        elif hushed or whole_file:
            yield replace(finding, suppressed="noqa")
        else:
            yield finding
    idle = [power for i, power in enumerate(powers) if i not in exercised and power.codes <= set(active)]
    yield from _unused(path, idle, text)
    yield from _noqas(path, noqas, obeyed, names, active)


def _powers(
    found: Allow | Malformed, blocks: tuple[Block, ...], names: Mapping[str, str]
) -> Iterator[_Power]:
    if isinstance(found, Allow) and is_reason(found.reason):
        lines = covered(found.comment, blocks)
        for selector in found.selectors:
            if codes := resolve(selector, names):
                yield _Power(found, selector, codes, lines)


def _faults(path: str, found: Allow | Malformed, names: Mapping[str, str]) -> Iterator[Finding]:
    span = _span(found.comment, found.start, found.end)
    if isinstance(found, Malformed):
        yield unreasoned(path, span, found.message)
        return
    for selector in found.selectors:
        if not resolve(selector, names):
            yield unreasoned(path, span, unknown(selector, names))
    if not is_reason(found.reason):
        shape = SHAPE.format(", ".join(found.selectors))
        problem = "a reason of fewer than three words" if found.reason else "no reason"
        yield unreasoned(path, span, f"this allow has {problem}, so it silences nothing: write `{shape}`")


def _unused(path: str, idle: Iterable[_Power], text: Callable[[], str | None]) -> Iterator[Finding]:
    by_allow: dict[Allow, list[_Power]] = {}
    for power in idle:
        by_allow.setdefault(power.allow, []).append(power)
    source = text() if by_allow else None
    lines = Lines.of(source) if source is not None else None
    for allow, powers in by_allow.items():
        selectors = tuple(power.selector for power in powers)
        listed = ", ".join(selectors)
        if powers[0].lines:
            message = f"allow[{listed}] silences nothing here: remove it"
        else:
            message = f"allow[{listed}] stands above no statement: put it above one, indented alike"
        fix = remove(allow, selectors, lines) if lines else None
        yield unused(path, _span(allow.comment, allow.start, allow.end), message, fix)


def _noqas(
    path: str,
    noqas: Iterable[noqa.Noqa],
    obeyed: Mapping[int, bool],
    names: Mapping[str, str],
    active: Collection[str],
) -> Iterator[Finding]:
    """Of specific noqas: one that silences what no allow does needs a reason, one without effect must go."""
    for i, item in enumerate(noqas):
        if not item.ours or obeyed.get(i) is False:
            continue
        span = _span(item.comment, item.start, item.end)
        listed = ", ".join(item.ours)
        meant = {code for code in names if code.startswith(item.ours)}
        if i in obeyed or not meant <= set(active):
            shape = SHAPE.format(listed)
            message = f"noqa gives no reason for silencing {listed}: write `{shape}` instead"
            yield unreasoned(path, span, message)
        else:
            yield unused(path, span, f"noqa silences no {listed} here: remove it")


def _span(comment: Comment, start: int, end: int) -> Span:
    return Span(comment.line, comment.column + start, comment.line, comment.column + end)
