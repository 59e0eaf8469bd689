"""Taking an allow, or some of the rules it names, out of its comment.

Law of this file: the rest of the comment stays.
"""

from collections.abc import Collection

from redis_guard.finding import Edit, Fix, Span
from redis_guard.lines import Lines
from redis_guard.silence.comments import Allow


def remove(allow: Allow, selectors: Collection[str], lines: Lines) -> Fix:
    """The fix that removes these selectors, and with the last of them the allow."""
    kept = [selector for selector in allow.selectors if selector not in selectors]
    if kept:
        return _fix(
            f"Remove {', '.join(selectors)} from the allow", _inside(allow, *allow.brackets), ", ".join(kept)
        )
    text = allow.comment.text
    before, after = text[: allow.start].rstrip(), text[allow.end :].lstrip()
    if before:
        span = _inside(allow, len(before), allow.end)
    elif after:
        span = _inside(allow, 0, len(text) - len(after))
    else:
        span = _whole(allow, lines)
    return _fix("Remove the unused allow", span, "")


def _whole(allow: Allow, lines: Lines) -> Span:
    number = allow.comment.line
    if allow.comment.own_line:
        return Span(number, 1, number + 1, 1)
    code = lines.line(number)[: allow.comment.column - 1].rstrip()
    return Span(number, len(code) + 1, number, len(lines.line(number)) + 1)


def _inside(allow: Allow, start: int, end: int) -> Span:
    comment = allow.comment
    return Span(comment.line, comment.column + start, comment.line, comment.column + end)


def _fix(title: str, span: Span, text: str) -> Fix:
    return Fix(title, "safe", (Edit(span, text),))
