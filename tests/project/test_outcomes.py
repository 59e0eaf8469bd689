"""What is done with the value of a call."""

from textwrap import indent

import pytest

from redis_guard.project.model import Result
from tests.project.seen import calls


def result(body: str) -> Result:
    head = "import redis.asyncio\nar = redis.asyncio.Redis()\n"
    found = calls(head + "async def f(a, b, obj, rows):\n" + indent(body, "    "))
    return found[0].result


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ("r.get(1)", "discarded"),
        ("x = r.get(1)", "assigned"),
        ("x: int = r.get(1)", "assigned"),
        ("x, y = r.get(1)", "assigned"),
        ("obj.x = r.get(1)", "stored"),
        ("obj['x'] = r.get(1)", "stored"),
        ("return r.get(1)", "returned"),
        ("yield r.get(1)", "yielded"),
        ("if r.get(1): pass", "condition"),
        ("while r.get(1): pass", "condition"),
        ("assert r.get(1)", "condition"),
        ("x = not r.get(1)", "condition"),
        ("x = r.get(1) or 5", "condition"),
        ("x = 5 if r.get(1) else 6", "condition"),
        ("x = r.get(1) if a else 6", "assigned"),
        ("x = a or r.get(1)", "assigned"),
        ("if r.get(1) == 5: pass", "compared"),
        ("if 5 < r.get(1): pass", "compared"),
        ("print(r.get(1))", "argument"),
        ("print(*r.get(1))", "iterated"),
        ("r.get(1).decode()", "chained"),
        ("r.get(1)['a']", "operand"),
        ("x = r.get(1) + 5", "operand"),
        ("x = f'{r.get(1)}'", "operand"),
        ("x += r.get(1)", "operand"),
        ("x = [r.get(1)]", "collected"),
        ("x = {'a': r.get(1)}", "collected"),
        ("x = [r.get(n) for n in rows]", "collected"),
        ("for x in r.get(1): pass", "iterated"),
        ("with r.lock(1): pass", "entered"),
    ],
)
def test_uses_of_a_value(body, use):
    assert result(body).use == use


@pytest.mark.parametrize(
    ("body", "awaited"),
    [
        ("await ar.get(1)", True),
        ("x = await ar.get(1)", True),
        ("x = ar.get(1)", False),
        ("async with ar.lock(1): pass", True),
        ("async for x in ar.scan_iter(): pass", True),
        ("print(await ar.get(1))", True),
        ("await obj.gather(ar.get(1))", False),
    ],
)
def test_what_is_awaited(body, awaited):
    assert result(body).awaited is awaited


def test_what_a_value_is_passed_to():
    assert result("json.loads(r.get(1))").callee == "json.loads"
    assert result("obj().load(r.get(1))").callee == "load"
    assert result("r.get(1).decode()").callee == "decode"


def test_a_negated_condition():
    assert result("if not r.get(1): pass").negated
    assert not result("if r.get(1): pass").negated


def test_later_uses_of_a_variable():
    later = result("x = r.get(1)\nif x is None:\n    return 5\nprint(x)\nreturn x").later
    assert later is not None
    assert [(use.use, use.callee) for use in later] == [
        ("compared", "is"),
        ("argument", "print"),
        ("returned", None),
    ]


def test_later_uses_within_one_statement_come_in_the_order_of_the_source():
    later = result("x = r.get(1)\nshow(x.a, len(x), x, [x], x.b)").later
    assert later is not None
    assert [(use.use, use.callee) for use in later] == [
        ("chained", "a"),
        ("argument", "len"),
        ("argument", "show"),
        ("collected", None),
        ("chained", "b"),
    ]


def test_later_uses_go_through_a_loop():
    later = result("x = r.get(1)\nwhile a:\n    print(x)\n    x = 5").later
    assert later is not None
    assert [use.use for use in later] == ["argument"]


def test_uses_of_another_binding_do_not_count():
    assert result("x = r.get(1)\nx = 5\nprint(x)").later == ()


def test_a_variable_awaited_later():
    later = result("x = ar.get(1)\nawait x").later
    assert later is not None
    assert [use.awaited for use in later] == [True]


def test_a_variable_that_an_inner_function_reads_cannot_all_be_seen():
    assert result("x = r.get(1)\ndef g():\n    return x").later is None


def test_a_walrus_is_a_condition_and_a_binding():
    found = result("if x := r.get(1):\n    print(x)")
    assert found.use == "condition"
    assert found.names == ("x",)
    assert found.later is not None
    assert [use.use for use in found.later] == ["argument"]


def test_the_calls_around_a_call():
    (call,) = calls("import asyncio\nasync def f():\n    await asyncio.gather(asyncio.shield(r.get(1)), 5)")
    assert call.enclosing_calls == ("asyncio.shield", "asyncio.gather")
