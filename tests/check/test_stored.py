"""A judgement survives the cache, and nothing else is taken for one."""

from hypothesis import given
from hypothesis import strategies as st

from redis_guard.finding import Block, Comment, Edit, Finding, Fix, Related, Severity, Span
from redis_guard.select import RuleEntry
from redis_guard.stored import Judgement, decode, encode

SPAN = Span(1, 2, 3, 4)
FULL = Finding(
    "RG202", "incr-then-expire", Severity.ERROR, "what", "a.py", SPAN, "incr", "INCR", "a:{b}", "case", "likely",
    (Related("b.py", SPAN, "there"),), Fix("mend", "safe", (Edit(SPAN, "x"),)), "f",
)  # fmt: skip


def test_everything_a_finding_says_is_kept() -> None:
    judgement = Judgement(
        (RuleEntry("RG202", "incr-then-expire", Severity.ERROR, True, True),),
        (FULL,),
        {"a.py": ((Comment(1, 2, "# noqa", True, None),), (Block(1, 2, 3, 4, 5),))},
        ("a.py",),
        3,
    )
    assert decode(encode(judgement)) == judgement


@given(st.binary(max_size=100))
def test_other_bytes_are_no_judgement(data: bytes) -> None:
    assert decode(data) is None
