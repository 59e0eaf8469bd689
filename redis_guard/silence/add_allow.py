"""Writing allow comments for what was found.

Law of this file: after the edits the findings are silenced, nothing wider is, and the program is the same.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from redis_guard.finding import Block, Comment, Edit, Finding, Span
from redis_guard.fixes.edits import apply_edits
from redis_guard.lines import Lines
from redis_guard.silence.allow_place import Place, Places
from redis_guard.silence.comments import Allow, parse, strip_lead
from redis_guard.silence.inline import FileMarks
from redis_guard.silence.line_ends import line_ends, same_program
from redis_guard.silence.reason import is_reason
from redis_guard.silence.scope import covered
from redis_guard.silence.selectors import resolve
from redis_guard.silence.verdicts import ALLOW_WITHOUT_REASON, UNPARSABLE_FILE, UNUSED_ALLOW

_NOT_ALLOWABLE = {UNPARSABLE_FILE, UNUSED_ALLOW[0], ALLOW_WITHOUT_REASON[0]}


@dataclass(frozen=True, slots=True)
class Additions:
    """Edits that do not overlap, and the findings that no comment can silence."""

    edits: tuple[Edit, ...]
    unplaced: tuple[Finding, ...]


def add_allows(
    findings: Iterable[Finding], text: str, marks: FileMarks, reason: str, names: Mapping[str, str]
) -> Additions:
    """Edits that silence the findings of one file; made once, none are left to make.

    Raises ValueError for a reason of fewer than three words, or one that would not be read back as it is.
    """
    reason = check_reason(reason, names)
    open_findings = [finding for finding in findings if finding.suppressed is None]
    ends = line_ends(text)
    if ends is None:
        return Additions((), tuple(open_findings))
    places = Places(Lines.of(text), ends, marks.blocks)
    allows = [a for comment in marks.comments for a in parse(comment, names) if isinstance(a, Allow)]
    unplaced = [finding for finding in open_findings if finding.code in _NOT_ALLOWABLE]
    merged: dict[Allow, set[str]] = {}
    added: dict[Place, set[str]] = {}
    for statement, group in _by_statement(places, open_findings):
        codes, rows = {finding.code for finding in group}, {finding.span.line for finding in group}
        if old := next((a for a in allows if _is_for(a.comment, statement, rows, marks.blocks)), None):
            merged.setdefault(old, set()).update(codes)
        elif place := places.best(statement, rows, len(allow_comment(codes, reason))):
            added.setdefault(place, set()).update(codes)
        else:
            unplaced += group
    edits = [places.edit(place, allow_comment(codes, reason)) for place, codes in added.items()]
    edits += [edit for allow, codes in merged.items() for edit in _merge(allow, codes, reason, names)]
    if not same_program(text, apply_edits(text, edits)):
        return Additions((), tuple(open_findings))
    return Additions(tuple(sorted(edits, key=lambda edit: edit.span)), tuple(unplaced))


def allow_comment(codes: Iterable[str], reason: str) -> str:
    """An allow as it is written."""
    return f"# redis-guard: allow[{', '.join(sorted(codes))}] {reason}"


def check_reason(reason: str, names: Mapping[str, str]) -> str:
    """The reason on one line. Raises ValueError for under three words, or what would not be read back."""
    reason = strip_lead(" ".join(reason.split()))
    if not is_reason(reason):
        raise ValueError("the reason needs three words or more: say why the code is right as it is")
    text = allow_comment(["RG101"], reason)
    read = list(parse(Comment(1, 1, text, own_line=True), names))
    if len(read) != 1 or not isinstance(read[0], Allow) or read[0].reason != reason:
        raise ValueError("the reason may not hold another tool's comment")
    return reason


def _by_statement(
    places: Places, findings: Iterable[Finding]
) -> Iterator[tuple[Block | None, list[Finding]]]:
    """Findings that one comment can silence: those of a statement's header; elsewhere those of a line."""
    groups: dict[tuple[Block | None, int], list[Finding]] = {}
    for finding in findings:
        if finding.code not in _NOT_ALLOWABLE:
            statement = places.statement(finding.span.line)
            groups.setdefault((statement, 0 if statement else finding.span.line), []).append(finding)
    for (statement, _), group in groups.items():
        yield statement, group


def _is_for(
    comment: Comment, statement: Block | None, rows: Collection[int], blocks: Iterable[Block]
) -> bool:
    """Whether an existing allow speaks for all these lines, and for no more than their statement."""
    lines = covered(comment, blocks)
    if not all(row in lines for row in rows):
        return False
    if statement is None:
        return not comment.own_line
    return lines.start >= statement.first_line and lines.stop <= statement.header_end + 1


def _merge(allow: Allow, codes: Iterable[str], reason: str, names: Mapping[str, str]) -> Iterator[Edit]:
    """Name the missing codes in an allow, and give it a reason if it has none."""
    known = set().union(*(resolve(selector, names) for selector in allow.selectors))
    row, column = allow.comment.line, allow.comment.column
    if missing := sorted(set(codes) - known):
        start, end = (column + place for place in allow.brackets)
        yield Edit(Span(row, start, row, end), ", ".join([*allow.selectors, *missing]))
    if not is_reason(allow.reason):
        yield Edit(Span(row, column + allow.end, row, column + allow.end), f" {reason}")
