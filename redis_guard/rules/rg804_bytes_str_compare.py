"""Bytes from the client are compared with text.

What: a client without `decode_responses=True` hands out bytes, and they are compared with a `str`.
Why it hurts: in Python 3 `b"1" == "1"` is false, always and without a warning: the branch is never taken, the owner
of a lock never recognised. `"x" in` bytes raises TypeError.
Instead: build the client with `decode_responses=True`, decode the value, or compare with a bytes literal.
Only judged where the construction of the client is seen.
Fix: a bytes literal in place of the text, or `.encode()` (unsafe: the client might be meant to decode).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from typing import Literal

from redis_guard.behaviour.bytes_replies import all_bytes, in_message, queued_for, shape
from redis_guard.behaviour.wording import on_subject, written
from redis_guard.finding import Related, Span
from redis_guard.project.model import Call, ModuleUses
from redis_guard.project.taken import Comparison, Operand, Way
from redis_guard.registry import Registry
from redis_guard.repairs.bytes_literal import BytesLiteral
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_WHOLE = ("==", "!=")
_WITHIN = ("in", "not in")
_UNCHANGED = ("itself", "part")

Side = Literal["left", "right"]


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if not any(call.replies == "bytes" for call in module.calls):
        return
    functions: defaultdict[int, dict[int, Call]] = defaultdict(dict)
    for call in module.calls:
        functions[call.function.scope][call.place.order] = call
    told_apart = {
        (handed.scope, taken.order)
        for handed in module.handed
        if handed.callee in ("builtins.isinstance", "builtins.hasattr", "builtins.type")
        for taken in handed.takes
    }
    for comparison in module.comparisons:
        read, side = _read(comparison, functions[comparison.scope])
        if read is not None and (comparison.scope, read.place.order) not in told_apart:
            span = Span(*comparison.span)
            elsewhere = () if span.line == read.span.line else (Related(read.path, read.span, "read here"),)
            report = at(read, _message(comparison, read), repair=BytesLiteral(span, side))
            yield replace(report, span=span, related=elsewhere)


def _read(comparison: Comparison, calls: Mapping[int, Call]) -> tuple[Call | None, Side]:
    """The call whose bytes are compared with text, and on which side the text is."""
    for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        ways = {taken.way for taken in side.takes}
        if len({taken.order for taken in side.takes}) != 1 or not ways <= set(_UNCHANGED):
            continue
        read = calls.get(side.takes[0].order)
        if read is None or read.replies != "bytes" or other.takes or _may_be_equal(side, other):
            continue
        item = _is_bytes(side, read, ways, calls)
        if comparison.operator in _WHOLE and item and other.kind == "str":
            return read, _other(comparison, side)
        if comparison.operator in _WITHIN and side is comparison.left:
            if item and (other.kind == "str" or other.kinds == {"str"}):
                return read, _other(comparison, side)
        if comparison.operator in _WITHIN and side is comparison.right and other.kind == "str":
            if item or (shape(read) == "collection" and ways == {"itself"}):
                return read, _other(comparison, side)
    return None, "left"


def _other(comparison: Comparison, side: Operand) -> Side:
    return "right" if side is comparison.left else "left"


def _is_bytes(side: Operand, read: Call, ways: Set[Way], calls: Mapping[int, Call]) -> bool:
    """Whether that side is bytes, and no collection of them."""
    if read.kind == "pubsub":
        return in_message(read, side.item)
    if read.kind == "pipeline" and read.method == "execute":
        return ways == {"part"} and all_bytes(queued_for(tuple(calls.values()), read))
    found = shape(read)
    return found == "bytes" or (found == "collection" and ways == {"part"})


def _may_be_equal(side: Operand, other: Operand) -> bool:
    """A default beside the result is text, and may be what is looked for."""
    texts = {value for value in side.some if isinstance(value, str)}
    return bool(texts) and (other.constants is None or not texts.isdisjoint(other.constants))


def _message(comparison: Comparison, read: Call) -> str:
    bytes_of = f"{written(read)}{on_subject(read)} gives bytes"
    if comparison.operator in _WITHIN and _raises(comparison, read):
        outcome = "so looking for text in them raises TypeError"
    elif comparison.operator in ("==", "in"):
        outcome = f"and bytes never equal text: `{comparison.operator}` is always false"
    else:
        outcome = f"and bytes never equal text: `{comparison.operator}` is always true"
    return f"{bytes_of}, {outcome}. Build the client with decode_responses=True, or decode the value"


def _raises(comparison: Comparison, read: Call) -> bool:
    if comparison.left.takes:
        return comparison.right.kind == "str"
    return shape(read) == "bytes"


RULE = Rule(
    code="RG804",
    name="bytes-str-compare",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(bad='paused = r.get("ops:paused") == "1"', good='paused = r.get("ops:paused") == b"1"'),
        Example(
            bad='paused = r.get("ops:paused") == "1"',
            good='paused = t.get("ops:paused") == "1"',
            setup="import redis\n\nr = redis.Redis()\nt = redis.Redis(decode_responses=True)\n",
            by_hand=True,
        ),
    ),
)
