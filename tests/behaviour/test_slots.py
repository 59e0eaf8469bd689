"""Which keys of one command or one MULTI are not bound to one slot."""

import pytest

from redis_guard.behaviour.slots import crossing, refused
from tests.project.seen import module

HEAD = "from redis.cluster import RedisCluster\nrc = RedisCluster(host='h')\n"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("rc.mget('a', 'b')", True),
        ("rc.mget('{x}a', '{x}b')", False),
        ("rc.mget(f'a:{n}', f'b:{n}')", True),
        ("rc.mget(f'{{{n}}}a', f'{{{n}}}b')", False),
        ("rc.mget(f'a:{n.key}', f'b:{n.key}')", False),
        ("rc.mget(n, 'b')", False),
        ("rc.mget([f'{{x}}:{m}' for m in n])", False),
        ("rc.mget([f'x:{m}' for m in n])", True),
        ("rc.unlink('a', 'b')", False),
        ("rc.pipeline().unlink('a', 'b')", True),
        ("r.mget('a', 'b')", False),
    ],
)
def test_commands_that_name_keys_of_several_slots(call: str, told: bool) -> None:
    assert bool(list(refused(module(f"{HEAD}def f(n): {call}")))) is told


def test_each_multi_is_told_once_by_its_first_two_slots() -> None:
    found = module(f"""
    {HEAD.splitlines()[0]}
    {HEAD.splitlines()[1]}
    def f():
        with rc.pipeline(transaction=True) as pipe:
            pipe.get("a")
            pipe.get("a")
            pipe.get("b")
            pipe.get("c")
            pipe.execute()
    """)
    (pair,) = crossing(found)
    assert (pair.key.template, pair.other.template) == ("a", "b")
