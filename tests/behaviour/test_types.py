"""Which two calls take one key for two types."""

import pytest

from redis_guard.behaviour.types import clashes
from redis_guard.project.model import ProjectUses
from tests.project.seen import module


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("r.get('box')", "r.hgetall('box')", True),
        ("r.get('box')", "r.setbit('box', 1, 1)", False),
        ("r.get('box')", "r.pfcount('box')", False),
        ("r.zscore('box', 1)", "r.geopos('box', 'x')", False),
        ("r.get('box')", "r.delete('box')", False),
        ("r.get('box')", "r.sunion('box', 'other')", False),
        ("r.get(f'box:{n}')", "r.hgetall(f'box:{n}')", True),
        ("r.get(f'box:{n}')", "r.hgetall(f'box:{n.id}')", False),
        ("r.get(f'{n}:box')", "r.hgetall(f'{n}:box')", False),
        ("r.get(n)", "r.hgetall(n)", False),
    ],
)
def test_two_calls_in_two_functions(first: str, second: str, told: bool) -> None:
    found = module(f"def f(n): {first}\ndef g(n): {second}")
    assert bool(list(clashes(ProjectUses((found,))))) is told


def test_who_asks_for_the_type_knows_what_to_do() -> None:
    found = module("def f(): r.get('box')\ndef g(): r.hgetall('box')\ndef h(): return r.type('box')")
    assert not list(clashes(ProjectUses((found,))))
