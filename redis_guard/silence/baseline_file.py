"""The baseline on disk: JSON, one entry a line in a stable order, so that version control merges it well.

Law of this file: a file that cannot be trusted is an error with a way out, never an empty baseline.
"""

import json
import re
from pathlib import Path

from redis_guard.fixes.write import write_file
from redis_guard.lines import Lines
from redis_guard.mistake import Mistake
from redis_guard.plain_files import read_plain
from redis_guard.silence.baseline import Baseline, Entry

_VERSION = 1
_RECORD = "record the findings anew with `redis-guard check --write-baseline`"
_WAY_OUT = f"restore it from version control, or {_RECORD}"
# Inside a JSON string the quotes would be escaped, so this is always the start of an entry.
_ENTRY_START = re.compile(r'\{\s*"path"')


class BaselineError(Mistake):
    """A baseline file that cannot be used; the message is one line with what to do."""


def load(path: Path, shown: str) -> Baseline:
    """Read a baseline; `shown` is its path relative to the project root. Raises BaselineError."""
    try:
        text = read_plain(path).decode("utf-8-sig")
    except FileNotFoundError as error:
        if path.is_symlink():
            raise BaselineError(f"{shown}: cannot be read: {error.strerror}") from None
        raise BaselineError(
            f"{shown}: no such file; create it with `redis-guard check --write-baseline`"
        ) from None
    except OSError as error:
        raise BaselineError(f"{shown}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BaselineError(f"{shown}: not UTF-8 text: {_WAY_OUT}") from None
    if conflict := re.search(r"^(<{7} |={7}$|>{7} )", text, re.MULTILINE):
        line = text.count("\n", 0, conflict.start()) + 1
        raise BaselineError(f"{shown}:{line}: a merge conflict: keep both sides' entries, or {_RECORD}")
    try:
        data: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise BaselineError(f"{shown}:{error.lineno}: not JSON ({error.msg}): {_WAY_OUT}") from None
    except RecursionError:
        raise BaselineError(f"{shown}:1: not a baseline: {_WAY_OUT}") from None
    return Baseline(shown, _entries(data, text, shown))


def save(path: Path, baseline: Baseline) -> None:
    """Write a baseline. Raises OSError."""
    write_file(path, dump(baseline).encode("utf-8", "backslashreplace"))


def dump(baseline: Baseline) -> str:
    """The text of a baseline file."""
    rows = ",\n".join(f"    {_row(entry)}" for entry in sorted(set(baseline.entries)))
    entries = f"[\n{rows}\n  ]" if rows else "[]"
    return f'{{\n  "version": {_VERSION},\n  "entries": {entries}\n}}\n'


def _row(entry: Entry) -> str:
    fields = {name: getattr(entry, name) for name in ("path", "function", "rule", "code", "nth")}
    return json.dumps(fields, ensure_ascii=False)


def _entries(data: object, text: str, shown: str) -> tuple[Entry, ...]:
    if not isinstance(data, dict) or not isinstance(data.get("entries"), list):
        raise BaselineError(f"{shown}:1: not a baseline: {_WAY_OUT}")
    if data.get("version") != _VERSION:
        raise BaselineError(
            f"{shown}:1: version {data.get('version')!r} is none that this redis-guard reads: "
            f"update redis-guard, or {_RECORD}"
        )
    starts = [match.start() for match in _ENTRY_START.finditer(text)]
    known = len(starts) == len(data["entries"])
    lines = Lines.of(text)
    entries = []
    line = 1
    for index, item in enumerate(data["entries"]):
        while known and line < len(lines) and lines.starts[line] <= starts[index]:
            line += 1
        entries.append(_entry(item, line, shown))
    return tuple(entries)


def _entry(item: object, line: int, shown: str) -> Entry:
    match item:
        case {
            "path": str(path),
            "function": str(function),
            "rule": str(rule),
            "code": str(code),
            "nth": int(nth),
        }:
            return Entry(path, function, rule, code, nth, line)
    raise BaselineError(f"{shown}:{line}: an entry needs path, function, rule, code and nth: {_WAY_OUT}")
