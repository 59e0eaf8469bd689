"""`--add-allow`: writing allow comments into the files that have findings.

Law of this file: a file is written whole or not at all, and what could not be silenced is said.
"""

from collections import defaultdict

from redis_guard.analysis import Analysis
from redis_guard.facts.marks import read_marks
from redis_guard.finding import Finding
from redis_guard.fixes.edits import apply_edits
from redis_guard.fixes.write import replace_file
from redis_guard.mistake import Mistake
from redis_guard.silence.add_allow import add_allows
from redis_guard.silence.apply import Run
from redis_guard.silence.inline import FileMarks
from redis_guard.source.read import Unreadable
from redis_guard.source.text import decode


class ReasonError(Mistake):
    """The reason will not do; the message is one line."""


def write_allows(
    reason: str, findings: tuple[Finding, ...], run: Run, analysis: Analysis
) -> tuple[frozenset[int], list[str]]:
    """Silence the open findings by comments; which of them it was done for, and what there is to say."""
    by_path: defaultdict[str, list[int]] = defaultdict(list)
    for number, finding in enumerate(findings):
        if finding.suppressed is None:
            by_path[finding.path].append(number)
    written: set[int] = set()
    notes: list[str] = []
    files = 0
    for path, numbers in sorted(by_path.items()):
        if path in analysis.registry:
            notes.append(f"{path}: left alone: allows are written into a registry by hand")
            continue
        done, said = _one_file(reason, path, [findings[number] for number in numbers], run, analysis)
        notes += said
        files += bool(done)
        written |= {number for number in numbers if findings[number] in done}
    notes.append(f"{len(written)} findings allowed in {files} files")
    return frozenset(written), notes


def _one_file(
    reason: str, path: str, findings: list[Finding], run: Run, analysis: Analysis
) -> tuple[list[Finding], list[str]]:
    data = analysis.sources.data(path)
    source = None if data is None else decode(data)
    if data is None or source is None or isinstance(source, Unreadable):
        return [], [f"{path}: left alone: it cannot be read"]
    if not source.exact:
        return [], [f"{path}: left alone: its encoding does not give the same bytes again"]
    marks = FileMarks(*read_marks(source.text))
    try:
        added = add_allows(findings, source.text, marks, reason, run.names)
    except ValueError as error:
        raise ReasonError(f"--add-allow: {error}") from None
    notes = [f"{f.path}:{f.span.line}: no comment can silence {f.code} here" for f in added.unplaced]
    if not added.edits:
        return [], notes
    try:
        after = source.encode(apply_edits(source.text, added.edits))
    except UnicodeEncodeError:
        return [], [*notes, f"{path}: left alone: {source.encoding} cannot spell the reason"]
    refused = replace_file(analysis.sources.tree_path(path), data, after)
    if refused is not None:
        return [], [*notes, refused]
    return [finding for finding in findings if finding not in added.unplaced], notes
