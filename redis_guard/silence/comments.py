"""Reading `# redis-guard: allow[RG101] reason` in comments.

Law of this file: a comment that addresses redis-guard is understood or complained about, never passed over.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from redis_guard.finding import Comment
from redis_guard.nearest import nearest_names
from redis_guard.silence.selectors import resolve

_START = re.compile(r"(?:^|(?<=\s))#+\s*(?P<tool>redis[-_ ]?guard)\b\s*(?P<colon>:?)\s*", re.IGNORECASE)
# What ends a reason: a comment for another tool, as flake8 or mypy.
_NEXT = re.compile(r"\s+#+\s*(?:[\w-]+\s*:|noqa\b|nosec\b|nosem|nopep8\b)", re.IGNORECASE)
_ALLOW = re.compile(r"allow\s*\[(?P<selectors>[^\[\]]*)\](?P<reason>.*)", re.IGNORECASE | re.DOTALL)
_LIKE_A_CALL = re.compile(r"\w+\s*[\[(]")
_LIKE_A_RULE = re.compile(r"\bRG\d+\b|\b[a-z]+(?:-[a-z]+)+\b", re.IGNORECASE)

SHAPE = "# redis-guard: allow[{}] why this one is right"


@dataclass(frozen=True, slots=True)
class Allow:
    """One allow, as written."""

    comment: Comment
    start: int
    """Where it starts in the comment's text."""
    end: int
    brackets: tuple[int, int]
    """Where the text between the brackets starts and ends in the comment's text."""
    selectors: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A comment meant for redis-guard that cannot be read."""

    comment: Comment
    start: int
    end: int
    message: str


def parse(comment: Comment, names: Mapping[str, str]) -> Iterator[Allow | Malformed]:
    """Every allow in one comment. `names` maps each rule's code to its name and serves the suggestions."""
    text = comment.text
    starts = list(_START.finditer(text))
    for index, match in enumerate(starts):
        limit = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        following = _NEXT.search(text, match.end(), limit)
        body = text[match.end() : following.start() if following else limit].rstrip()
        end = match.end() + len(body)
        exact = match["colon"] and match["tool"].lower() == "redis-guard"
        if not exact and not _LIKE_A_CALL.match(body):
            continue  # prose that mentions the tool
        allow = _ALLOW.match(body) if exact else None
        selectors = (
            tuple(dict.fromkeys(re.split(r"[\s,]+", allow["selectors"].strip(" \t,")))) if allow else ()
        )
        if allow is None or not any(selectors):
            yield Malformed(comment, match.start(), end, _complaint(body, names))
            continue
        inside = (match.end() + allow.start("selectors"), match.end() + allow.end("selectors"))
        reason = strip_lead(allow["reason"])
        yield Allow(comment, match.start(), end, inside, selectors, reason)


def strip_lead(reason: str) -> str:
    """A reason without what people put between the bracket and it."""
    return reason.lstrip(" \t:;,.-\u2013\u2014").rstrip()


def _complaint(body: str, names: Mapping[str, str]) -> str:
    meant = dict.fromkeys(word for word in _LIKE_A_RULE.findall(body) if resolve(word, names))
    shape = SHAPE.format(", ".join(meant) or "RG101")
    if re.match(r"allow\s*\[\s*\]", body, re.IGNORECASE):
        return f"this allow names no rule, so it silences nothing: write `{shape}`"
    if re.match(r"allow\s*\[[^\]]*$", body, re.IGNORECASE):
        return f"the bracket of this allow is never closed, so it silences nothing: write `{shape}`"
    return f"redis-guard does not understand this comment, so it silences nothing: write `{shape}`"


def unknown(selector: str, names: Mapping[str, str]) -> str:
    """What to say of a selector that means no rule."""
    guess = nearest_names(selector, (*names.values(), *names), 1)
    hint = f"did you mean `{guess[0]}`?" if guess else "`redis-guard rule --all` lists the rules"
    return f"`{selector}` is not a rule, so nothing is silenced by it; {hint}"
