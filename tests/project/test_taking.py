"""Which results take part in values, tests and comparisons."""

import pytest

from redis_guard.project.model import Call
from tests.project.seen import module


def calls(body: str, head: str = "k, tok") -> dict[str, Call]:
    """The calls of one function by method; the last one of a name counts."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    source = f"import json, pickle, threading\nmutex = threading.Lock()\ndef f({head}):\n{lines}\n"
    return {call.method: call for call in module(source).calls}


def ways(call: Call, argument: str = "value") -> set[tuple[int, str]]:
    given = call.argument(argument)
    assert given is not None
    return {(taken.order, taken.way) for taken in given.takes}


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ("r.get(k)", "itself"),
        ("r.get(k) or b''", "itself"),
        ("r.hgetall(k)['x']", "part"),
        ("r.get(k).decode()", "converted"),
        ("json.dumps(json.loads(r.get(k)))", "converted"),
        ("int(r.get(k)) + 1", "changed"),
        ("[r.get(k), 2]", "changed"),
        ("f'{r.get(k)}!'", "changed"),
        ("work_out(r.get(k))", "changed"),
    ],
)
def test_what_has_happened_to_a_result_that_is_written(value: str, way: str) -> None:
    found = ways(calls(f"r.set(k, {value})")["set"])

    assert {one for _, one in found} == {way}


@pytest.mark.parametrize(
    "body",
    [
        "n = int(r.get(k))\nn += 1\nr.set(k, n)",
        "d = json.loads(r.get(k))\nd['x'] = 1\nr.set(k, json.dumps(d))",
        "d = json.loads(r.get(k))\nd.append(1)\nr.set(k, json.dumps(d))",
        "d = json.loads(r.get(k))\ndel d['x']\nr.set(k, json.dumps(d))",
        "d = r.get(k)\nwhile tok:\n    d = d + tok\nr.set(k, d)",
        "if d := r.get(k):\n    r.set(k, d + tok)",
    ],
)
def test_changes_on_the_way_are_followed_through_variables(body: str) -> None:
    made = calls(body)

    assert (made["get"].place.order, "changed") in ways(made["set"])


def test_what_a_call_is_given_does_not_take_part_in_its_result() -> None:
    made = calls("a = r.get(k)\nb = r.getset(k, a)\nr.set('other', b)")

    assert {order for order, _ in ways(made["set"])} == {made["getset"].place.order}


def test_another_value_of_the_same_variable_takes_no_part() -> None:
    assert not ways(calls("v = r.get(k)\nv = tok\nr.set(k, v)")["set"])


@pytest.mark.parametrize(
    ("body", "met"),
    [
        ("if r.exists(k):\n    r.delete(k)", True),
        ("if r.exists(k):\n    pass\nelse:\n    r.delete(k)", False),
        ("if r.exists(k):\n    return\nr.delete(k)", False),
        ("if not r.exists(k):\n    pass\nelse:\n    return\nr.delete(k)", True),
        ("there = r.exists(k)\nif there:\n    for one in tok:\n        r.delete(k)", True),
        ("while r.exists(k):\n    r.delete(k)", True),
        ("r.exists(k) and r.delete(k)", True),
        ("r.exists(k) or r.delete(k)", False),
        ("tok = r.delete(k) if r.exists(k) else 0", True),
    ],
)
def test_a_test_decides_whether_a_place_is_reached(body: str, met: bool) -> None:
    made = calls(body)
    (guard,) = made["delete"].guards

    assert made["exists"].place.order in {taken.order for taken in guard.takes}
    assert guard.met is met


def test_a_test_that_both_ways_come_back_from_decides_nothing_after_it() -> None:
    assert not calls("if r.exists(k):\n    print(1)\nr.delete(k)")["delete"].guards


def test_open_contexts_and_caught_classes() -> None:
    made = calls(
        "try:\n    with mutex, r.lock('l', timeout=3):\n        r.set(k, 1)\nexcept (ValueError, redis.WatchError):\n"
        "    r.delete(k)\ntry:\n    r.incr(k)\nexcept:\n    pass"
    )

    assert [(one.name, one.kind) for one in made["set"].contexts] == [
        ("threading.Lock", ""),
        ("lock", "lock"),
    ]
    assert made["set"].caught == {"ValueError", "WatchError"}
    assert (made["delete"].contexts, made["delete"].caught) == ((), frozenset())
    assert made["incr"].caught == {"BaseException"}


def test_comparisons_and_foreign_functions_are_told_with_what_they_are_given() -> None:
    seen = module(
        "import pickle\ndef f(k):\n    v = r.get(k)\n    if v == 'on' or 3 > 2:\n        return pickle.loads(v)"
    )
    (compared,), (handed, back) = (
        seen.comparisons,
        sorted(seen.handed, key=lambda handed: -len(handed.callee)),
    )

    assert (compared.operator, compared.right.constants, compared.right.kind) == ("==", ("on",), "str")
    assert [taken.way for taken in compared.left.takes] == ["itself"]
    assert (handed.callee, handed.to, handed.takes) == ("pickle.loads", "library", compared.left.takes)
    assert (back.callee, back.to, [taken.way for taken in back.takes]) == ("", "caller", ["converted"])


def test_functions_that_nobody_knows_are_told_as_written() -> None:
    seen = module(
        "def f(k, work):\n    pair = r.blpop(k)\n    if pair:\n        work.start(pair[1])\n    yield pair"
    )

    told = {(handed.callee, handed.to): [taken.way for taken in handed.takes] for handed in seen.handed}
    assert told == {("work.start", "function"): ["part"], ("", "caller"): ["itself"]}


@pytest.mark.parametrize(
    ("head", "handler", "caught"),
    [
        ("from redis import WatchError as Conflict", "except Conflict:", "WatchError"),
        ("GONE = (redis.WatchError, OSError)", "except GONE:", "OSError"),
        ("class Mine(redis.WatchError): ...", "except Mine:", "WatchError"),
    ],
)
def test_what_an_alias_of_an_exception_stands_for_is_caught(head: str, handler: str, caught: str) -> None:
    seen = module(f"{head}\ndef f(k):\n    try:\n        r.get(k)\n    {handler}\n        pass")

    assert caught in seen.calls[0].caught


def test_what_is_suppressed_is_caught() -> None:
    assert calls("with contextlib.suppress(KeyError):\n    r.get(k)")["get"].caught == {"KeyError"}


def test_a_handler_says_what_it_handles() -> None:
    made = calls("try:\n    r.get(k)\nexcept (ValueError, redis.WatchError):\n    r.delete(k)")

    assert (made["get"].handles, made["delete"].handles) == (frozenset(), {"ValueError", "WatchError"})


def test_of_a_deletion_all_tests_are_told_and_whose_they_are() -> None:
    made = calls("if tok:\n    r.set(k, 1)\n    if r.get(k):\n        r.delete(k)")

    assert not made["set"].guards
    assert [guard.text for guard in made["delete"].guards] == ["tok", "r.get(k)"]
    assert [guard.construct for guard in made["delete"].guards] == [
        arm.construct for arm in made["delete"].place.path
    ]
