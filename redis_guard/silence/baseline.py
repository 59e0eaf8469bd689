"""The baseline: findings recorded as known, and how they are recognised again.

Law of this file: an entry holds no line number, so that edits elsewhere do not disturb it.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from posixpath import split

from redis_guard.finding import Finding
from redis_guard.lines import Lines
from redis_guard.passwords import masked
from redis_guard.silence.normal import normal_form


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One recorded finding."""

    path: str
    function: str
    rule: str
    code: str
    """The code in normal form."""
    nth: int
    """1 for the first of the findings which are alike in all of the above, in source order."""
    line: int = field(default=1, compare=False)
    """Where it stands in the baseline file."""

    @property
    def fingerprint(self) -> str:
        """A short name which is stable as long as the entry fits: 20 hexadecimal digits."""
        parts = "\0".join((self.rule, self.path, self.function, self.code, str(self.nth)))
        return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline file holds."""

    path: str
    """Relative to the project root."""
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run can tell about: an entry outside it is neither used nor stale, but none of its business."""

    paths: Collection[str]
    """Reported files that could be analysed."""
    codes: Collection[str]
    exists: Callable[[str], bool]
    """Whether the project still has a path."""
    whole_project: bool

    def covers(self, entry: Entry) -> bool:
        """Whether an entry that fits nothing in this run fits nothing at all."""
        if entry.rule not in self.codes:
            return False
        return entry.path in self.paths or (self.whole_project and not self.exists(entry.path))


@dataclass(frozen=True, slots=True)
class Matched:
    """Findings after the baseline, and the baseline after the findings."""

    findings: tuple[Finding, ...]
    pruned: Baseline
    stale: tuple[Entry, ...]


def entries_for(
    findings: Iterable[Finding], text: Callable[[str], str | None]
) -> list[tuple[Finding, Entry]]:
    """Each finding in report order with the entry that would record it, whether it is silenced or not."""
    counts: dict[tuple[str, str, str, str], int] = {}
    result = []
    current: tuple[str, Lines | None] = ("", None)
    for finding in sorted(findings, key=lambda finding: finding.sort_key):
        if current[0] != finding.path:
            source = text(finding.path)
            current = (finding.path, Lines.of(source) if source is not None else None)
        place = (finding.path, finding.function, finding.code, _code(finding, current[1]))
        counts[place] = nth = counts.get(place, 0) + 1
        result.append((finding, Entry(*place, nth)))
    return result


def fingerprint(finding: Finding, code_text: str, occurrence: int) -> str:
    """The fingerprint of a finding on `code_text`, the `occurrence`-th (from 1) of its kind."""
    return Entry(finding.path, finding.function, finding.code, normal_form(code_text), occurrence).fingerprint


def match(identified: Iterable[tuple[Finding, Entry]], baseline: Baseline, judged: Judged) -> Matched:
    """Silence what is recorded and not silenced by other means.

    An entry whose file is gone still fits the same code in a file of the same name or the same directory: it
    was moved or renamed. `pruned` holds the entries that are needed, at their present paths, and those that
    this run cannot tell about.
    """
    left = {entry: entry for entry in baseline.entries}
    pairs = list(identified)
    fits = [left.pop(entry, None) if finding.suppressed is None else None for finding, entry in pairs]
    gone: dict[Entry, list[Entry]] = {}
    for old in left.values():
        if not judged.exists(old.path):
            gone.setdefault(replace(old, path=""), []).append(old)
    findings: list[Finding] = []
    needed: list[Entry] = []
    for (finding, entry), exact in zip(pairs, fits, strict=True):
        fit = exact
        if finding.suppressed is None and fit is None:
            candidates = gone.get(replace(entry, path=""), [])
            fit = next((old for old in candidates if old in left and _moved(old.path, entry.path)), None)
            if fit is not None:
                left.pop(fit)
        if fit is not None:
            needed.append(replace(entry, line=fit.line))
            finding = replace(finding, suppressed="baseline", reason=f"recorded in {baseline.path}")
        findings.append(finding)
    stale = tuple(entry for entry in left.values() if judged.covers(entry))
    kept = sorted({*needed, *(set(left) - set(stale))})
    return Matched(tuple(findings), Baseline(baseline.path, tuple(kept)), stale)


def record(identified: Iterable[tuple[Finding, Entry]], baseline: Baseline, judged: Judged) -> Baseline:
    """The baseline that records all which nothing else silences, and keeps what this run cannot judge."""
    entries = {entry for finding, entry in identified if finding.suppressed in (None, "baseline")}
    kept = {entry for entry in baseline.entries if not judged.covers(entry)}
    return Baseline(baseline.path, tuple(sorted(entries | kept)))


def _code(finding: Finding, lines: Lines | None) -> str:
    try:
        return normal_form(masked(lines.slice(finding.span))) if lines else ""
    except ValueError:
        return ""


def _moved(old: str, new: str) -> bool:
    (old_directory, old_name), (new_directory, new_name) = split(old), split(new)
    return old_name == new_name or old_directory == new_directory
