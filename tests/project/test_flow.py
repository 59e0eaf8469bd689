"""What can happen after what in one function."""

from textwrap import indent

import pytest

from redis_guard.project.flow import always_follows, always_precedes, can_follow, in_handler, innermost_loop
from redis_guard.project.model import Place
from tests.project.seen import calls


def places(body: str) -> list[Place]:
    return [call.place for call in calls("async def f(a, b, rows):\n" + indent(body.strip(), "    "))]


def pair(body: str) -> tuple[Place, Place]:
    first, second = places(body)
    return first, second


@pytest.mark.parametrize(
    ("body", "can", "always"),
    [
        ("r.get(1)\nr.get(2)", True, True),
        ("r.get(1); r.get(2)", True, True),
        ("r.get(1)\nif a:\n    r.get(2)", True, False),
        ("if a:\n    r.get(1)\nr.get(2)", True, True),
        ("if a:\n    r.get(1)\nelse:\n    r.get(2)", False, False),
        ("if a:\n    r.get(1)\nelif b:\n    r.get(2)", False, False),
        ("if a:\n    r.get(1)\n    return\nr.get(2)", False, False),
        ("if a:\n    r.get(1)\n    raise KeyError\nr.get(2)", False, False),
        ("if a:\n    r.get(1)\n    if b:\n        return\nr.get(2)", True, True),
        ("match a:\n    case 1:\n        r.get(1)\n    case 2:\n        r.get(2)", False, False),
        ("for x in rows:\n    r.get(1)\nr.get(2)", True, True),
        ("for x in rows:\n    r.get(1)\n    break\nr.get(2)", False, False),
        ("r.get(1)\nfor x in rows:\n    r.get(2)", True, False),
        ("while a:\n    r.get(1)\n    r.get(2)", True, True),
        ("with a:\n    r.get(1)\nr.get(2)", True, True),
        ("r.get(1)\nwith a:\n    r.get(2)", True, True),
        ("try:\n    r.get(1)\nexcept KeyError:\n    r.get(2)", True, False),
        ("try:\n    r.get(1)\nfinally:\n    r.get(2)", True, True),
        ("try:\n    r.get(1)\n    return\nfinally:\n    r.get(2)", True, True),
        ("try:\n    r.get(1)\nexcept KeyError:\n    pass\nelse:\n    r.get(2)", True, False),
        ("try:\n    a()\nexcept KeyError:\n    r.get(1)\nexcept ValueError:\n    r.get(2)", False, False),
        ("try:\n    a()\nexcept KeyError:\n    r.get(1)\nfinally:\n    r.get(2)", True, True),
        ("r.get(1)\ntry:\n    r.get(2)\nexcept KeyError:\n    pass", True, True),
    ],
)
def test_what_follows(body, can, always):
    first, second = pair(body)
    assert can_follow(first, second) is can
    assert always_follows(first, second) is always
    assert not can_follow(second, first)


@pytest.mark.parametrize(
    ("body", "always"),
    [
        ("r.get(1)\nif a:\n    r.get(2)", True),
        ("if a:\n    r.get(1)\nr.get(2)", False),
        ("with a:\n    r.get(1)\nr.get(2)", True),
    ],
)
def test_what_has_always_happened_before(body, always):
    assert always_precedes(*pair(body)) is always


def test_calls_of_one_expression_are_ordered_as_they_are_evaluated():
    first, second = pair("r.set(1, r.get(2))")
    assert can_follow(first, second)
    inner, outer = calls("r.set(1, r.get(2))")
    assert (inner.method, outer.method) == ("get", "set")


def test_two_functions_do_not_follow_each_other():
    first, second = (call.place for call in calls("def f(): r.get(1)\ndef g(): r.get(2)"))
    assert not can_follow(first, second)


def test_the_nearest_loop_around_a_place():
    outer, inner, after = places("for x in rows:\n    r.get(1)\n    while a:\n        r.get(2)\nr.get(3)")
    assert innermost_loop(outer) is not None
    assert innermost_loop(inner) not in (None, innermost_loop(outer))
    assert innermost_loop(after) is None


def test_the_else_of_a_loop_is_outside_it():
    (place,) = places("for x in rows:\n    pass\nelse:\n    r.get(1)")
    assert innermost_loop(place) is None


def test_handlers_are_told_apart_from_body_else_and_finally():
    body = "try:\n    r.get(1)\nexcept KeyError:\n    r.get(2)\nelse:\n    r.get(3)\nfinally:\n    r.get(4)"
    assert [in_handler(place) for place in places(body)] == [False, True, False, False]
