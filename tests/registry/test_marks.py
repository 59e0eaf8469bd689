"""Allow comments in a registry file, and what they may cover."""

from redis_guard.registry.marks import registry_marks
from redis_guard.silence.scope import covered

TEXT = """\
use_cases:
  # redis-guard: allow[RG504] another program takes it
  a: {primitive: lock}  # redis-guard: allow[RG505] both are one lock
  b:
    primitive: lock  # redis-guard: allow[RG504] stands at the wrong line
    description: "no # redis-guard: comment, a text"
    reason: it's one # redis-guard: allow[RG507] after an apostrophe
  c#d: {}
"""


def test_comments_are_told_from_texts() -> None:
    comments, _ = registry_marks(TEXT)
    assert [(c.line, c.column, c.own_line) for c in comments] == [
        (2, 3, True), (3, 25, False), (5, 22, False), (7, 22, False),
    ]  # fmt: skip


def test_a_comment_covers_the_entry_below_or_beside_it() -> None:
    comments, blocks = registry_marks(TEXT)
    assert [list(covered(comment, blocks)) for comment in comments] == [[3], [3], [5], [7]]


def test_a_comment_above_an_entry_covers_all_that_is_indented_below_it() -> None:
    comments, blocks = registry_marks(
        "use_cases:\n  # redis-guard: allow[RG504] why so\n  b:\n    x: 1\n\n    y: 2\n  c: 3\n"
    )
    assert list(covered(comments[0], blocks)) == [3, 4, 5, 6]
