"""Answers do not depend on which question was put first."""

from collections.abc import Callable, Mapping
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.project.memory import Memory
from redis_guard.project.values import Plain, Values, join, one

Graph = Mapping[str, tuple[str, ...]]


def asker(graph: Graph) -> Callable[[str], Values]:
    """Each node is a value of its own and all that the nodes it points to are."""
    memory = Memory()

    def ask(node: str) -> Values:
        return memory.remembered(node, lambda: join(one(Plain(node)), *(ask(other) for other in graph[node])))

    return ask


def reached(graph: Graph, node: str) -> set[str]:
    found, waiting = {node}, [node]
    while waiting:
        new = set(graph[waiting.pop()]) - found
        found |= new
        waiting.extend(new)
    return found


@pytest.mark.parametrize(
    "graph",
    [
        {"a": ("b",), "b": ("a",)},
        {"a": ("b", "c"), "b": ("c", "a"), "c": ("b",)},
        {"head": ("side", "late"), "side": ("deep",), "deep": ("side", "head"), "late": ("deep",)},
        {"a": ("b", "e"), "b": ("c",), "c": ("d", "b"), "d": ("a",), "e": ("f",), "f": ("c",)},
    ],
)
def test_every_order_of_questions_finds_everything(graph: Graph) -> None:
    for order in permutations(graph):
        ask = asker(graph)
        found = {node: {value.object.type for value in ask(node)} for node in order}  # type: ignore[union-attr]
        assert found == {node: reached(graph, node) for node in graph}, order


def test_what_leans_on_an_answered_question_leans_on_what_that_leaned_on() -> None:
    # `late` meets `deep` after `side`, on which it leaned, was answered; `side` itself still waits for `head`
    graph = {
        "head": ("side", "late", "end"),
        "side": ("deep",),
        "deep": ("side", "head"),
        "late": ("deep",),
        "end": (),
    }
    ask = asker(graph)
    ask("head")
    assert {value.object.type for value in ask("late")} == set(graph)  # type: ignore[union-attr]


@pytest.mark.parametrize(("others", "given_up"), [(60_000, 0), (120_000, 1)])
def test_one_question_may_lead_through_a_large_project_but_ends(others: int, given_up: int) -> None:
    memory = Memory()

    def ask() -> Values:
        for number in range(others):
            memory.remembered(number, lambda: one(Plain("leaf")))
        return one(Plain("root"))

    assert memory.remembered("root", ask) == one(Plain("root"))
    assert memory.given_up == given_up


@given(st.data())
def test_circles_of_any_shape_are_answered_in_full(data: st.DataObject) -> None:
    names = "abcdefgh"[: data.draw(st.integers(2, 8))]
    graph = {name: tuple(data.draw(st.sets(st.sampled_from(names), max_size=3))) for name in names}
    ask = asker(graph)
    for node in data.draw(st.permutations(names)):
        assert {value.object.type for value in ask(node)} == reached(graph, node)  # type: ignore[union-attr]
