"""Which values a variable can still have where it is used."""

from textwrap import indent

import pytest

from tests.project.seen import expiry

SET = 'r.set("a", 1, ex=ttl)'


def may_be_none(body: str, parameters: str = "ttl: int | None, other=None") -> bool:
    return expiry(f"def f({parameters}):\n" + indent(body, "    ")).may_be_none


@pytest.mark.parametrize(
    "test",
    [
        "ttl",
        "ttl is not None",
        "ttl != None",
        "not ttl is None",
        "ttl > 0",
        "0 < ttl",
        "0 < ttl < 10",
        "ttl and other",
        "other and ttl",
        "ttl is not None and ttl > 0",
        "ttl and (other or r)",
        "isinstance(ttl, int)",
        "isinstance(ttl, (int, float))",
        "bool(ttl)",
        "not (ttl is None or other)",
        "ttl not in (None, 0)",
        "int(ttl) > 0",
        "ttl.total_seconds() > 0",
        "valid(ttl)",
    ],
)
def test_tests_that_rule_out_none(test):
    assert not may_be_none(f"if {test}:\n    {SET}")
    assert not may_be_none(f"if not ({test}):\n    return\n{SET}")
    assert not may_be_none(f"while {test}:\n    {SET}")
    assert not may_be_none(f"assert {test}\n{SET}")


@pytest.mark.parametrize(
    "test",
    [
        "other",
        "ttl is None",
        "not ttl",
        "ttl or other",
        "ttl is not other",
        "ttl in (None, 0)",
        "isinstance(ttl, (int, type(None)))",
        "isinstance(other, int)",
        "other.ttl",
        "True",
    ],
)
def test_tests_that_do_not(test):
    assert may_be_none(f"if {test}:\n    {SET}")


def test_the_other_arm_of_a_test():
    assert not may_be_none(f"if ttl is None:\n    pass\nelse:\n    {SET}")
    assert may_be_none(f"if ttl is not None:\n    pass\nelse:\n    {SET}")


def test_elif_knows_the_tests_above_it():
    assert not may_be_none(f"if ttl is None:\n    pass\nelif other:\n    {SET}")


def test_what_follows_an_arm_that_ends():
    assert not may_be_none(f"if ttl is None:\n    raise ValueError\n{SET}")
    assert may_be_none(f"if ttl is None:\n    print()\n{SET}")
    assert may_be_none(f"if other:\n    return\n{SET}")


def test_what_follows_an_elif_that_ends():
    assert not may_be_none(f"if other:\n    return\nelif ttl is None:\n    return\n{SET}")
    assert may_be_none(f"if other:\n    pass\nelif ttl is None:\n    return\n{SET}")


def test_a_default_that_is_filled_in():
    assert not may_be_none(f"if ttl is None:\n    ttl = 60\n{SET}")
    assert not may_be_none(f"ttl = ttl or 60\n{SET}")
    assert not may_be_none(
        f"if ttl is None:\n    if other:\n        ttl = 5\n    else:\n        ttl = 60\n{SET}"
    )
    assert may_be_none(f"if ttl is None:\n    if other:\n        ttl = 5\n{SET}")


def test_a_test_above_a_new_binding_says_nothing_of_it():
    assert may_be_none(f"if ttl:\n    ttl = None if other else 5\n    {SET}")
    assert may_be_none(f"assert ttl\nttl = {{}}.get(other)\n{SET}")


def test_a_new_binding_below_a_test_is_judged_by_itself():
    assert not may_be_none(f"if ttl is None:\n    return\nttl = 5\n{SET}")


def test_a_loop_that_ends_when_there_is_something():
    assert not may_be_none(f"while ttl is None:\n    ttl = other()\n{SET}")


def test_a_test_before_a_loop_knows_nothing_of_what_the_loop_binds():
    assert may_be_none(f"if ttl is None:\n    return\nfor x in other:\n    {SET}\n    ttl = None")
    assert may_be_none(f"for x in other:\n    {SET}\n    ttl = None", "ttl, other")


def test_a_test_within_the_loop_knows_what_the_turn_before_bound():
    assert not may_be_none(
        f"for x in other:\n    if ttl is None:\n        continue\n    {SET}\n    ttl = None"
    )


def test_a_guard_inside_with_and_try():
    assert not may_be_none(f"with other:\n    if ttl is None:\n        return\n{SET}")
    assert not may_be_none(f"try:\n    if ttl is None:\n        return\nfinally:\n    print()\n{SET}")
    assert may_be_none(
        f"try:\n    if ttl is None:\n        raise KeyError\nexcept KeyError:\n    print()\n{SET}"
    )


def test_a_match_on_the_variable_is_a_judgement():
    assert not may_be_none(f"match ttl:\n    case None:\n        return\n{SET}")
    assert may_be_none(f"match other:\n    case None:\n        return\n{SET}")


def test_a_test_that_was_given_a_name():
    assert not may_be_none(f"given = ttl is not None\nif given:\n    {SET}")
    assert may_be_none(f"given = ttl is not None\nif not given:\n    {SET}")


def test_tests_inside_the_expression():
    assert not may_be_none('r.set("a", 1, ex=ttl if ttl else 60)')
    assert not may_be_none('ttl and r.set("a", 1, ex=ttl)')
    assert not may_be_none('ttl is None or r.set("a", 1, ex=ttl)')
    assert may_be_none('r.set("a", 1, ex=60 if ttl else ttl)')


def test_a_walrus_is_a_binding_and_a_test():
    assert not may_be_none('if ttl := {}.get(other):\n    r.set("a", 1, ex=ttl)')
    assert not may_be_none('if (ttl := {}.get(other)) is not None:\n    r.set("a", 1, ex=ttl)')


def test_attributes_are_followed_by_their_text():
    head = "class C:\n    ttl: int | None = None\nc = C()\n"
    assert expiry(head + 'r.set("a", 1, ex=c.ttl)').may_be_none
    assert not expiry(head + 'if c.ttl:\n    r.set("a", 1, ex=c.ttl)').may_be_none
    assert not expiry(head + 'if c.ttl is None:\n    raise KeyError\nr.set("a", 1, ex=c.ttl)').may_be_none


def test_a_variable_of_an_enclosing_function_that_is_tested_there_says_nothing():
    source = """
    def outer(ttl=None):
        if ttl is None:
            return None

        def put():
            r.set("a", 1, ex=ttl)

        return put
    """
    assert not expiry(source).may_be_none


def test_a_variable_of_an_enclosing_function_that_nobody_tests_may_be_none():
    source = """
    def outer(ttl=None):
        def put():
            r.set("a", 1, ex=ttl)

        return put
    """
    assert expiry(source).may_be_none


@pytest.mark.parametrize(
    ("test", "constants"),
    [
        ("ttl > 0", (60,)),
        ("ttl >= 0", (0, 60)),
        ("ttl == 0", (0,)),
        ("ttl != 0", (60,)),
        ("ttl in (0, 1)", (0,)),
        ("ttl", (60,)),
        ("not ttl", (0,)),
        ("isinstance(ttl, int)", (0, 60)),
        ("isinstance(ttl, str)", None),
        ("ttl > other", (0, 60)),
    ],
)
def test_constants_are_put_to_the_test(test, constants):
    body = f"    ttl = 0 if other else 60\n    if {test}:\n        {SET}"
    assert expiry(f"def f(other):\n{body}").constants == constants
