"""What functions queue on the pipelines that they are handed."""

import pytest

from tests.project.seen import module

MAKE = "def f(x):\n    pipe = r.pipeline()\n    g(pipe, x)\n"


def filled(helpers: str) -> list[str | None] | None:
    made = next(call for call in module(MAKE + helpers).calls if call.function.name == "f")
    return None if made.filled_by is None else [call.command for call in made.filled_by]


@pytest.mark.parametrize(
    ("helpers", "commands"),
    [
        ("def g(p, x):\n    p.set('a', x)\n    p.expire('a', 9)\n", ["SET", "EXPIRE"]),
        ("def g(p, x):\n    p.set('a', x).expire('a', 9)\n", ["SET", "EXPIRE"]),
        ("def g(p, x):\n    if p is not None:\n        p.incr('a')\n", ["INCRBY"]),
        ("def g(p, x):\n    p.incr('a')\n    h(p)\ndef h(q):\n    q.delete('b')\n", ["INCRBY", "DEL"]),
        ("def g(p, x):\n    pass\n", []),
    ],
)
def test_functions_that_only_queue_tell_what(helpers: str, commands: list[str]) -> None:
    assert filled(helpers) == commands


@pytest.mark.parametrize(
    "helpers",
    [
        "",
        "def g(p, x):\n    p.incr('a')\n    p.execute()\n",
        "def g(p, x):\n    p.incr('a').execute()\n",
        "def g(p, x):\n    p.incr('a')\n    x.append(p)\n",
        "def g(p, x):\n    p.incr('a')\n    x.pipe = p\n",
        "def g(p, x):\n    p = p or r\n    p.incr('a')\n",
        "def g(p, x):\n    p.incr('a')\n    x(lambda: p.execute())\n",
        "def g(p, x):\n    p.incr('a')\n    return p\n",
        "def g(p, x):\n    p.incr('a')\n    g(p, x)\n",
        "@x\ndef g(p, x):\n    p.incr('a')\n",
        "def g(*p):\n    p[0].incr('a')\n",
    ],
)
def test_who_may_send_it_or_hand_it_on_is_not_believed_to_only_queue(helpers: str) -> None:
    assert filled(helpers) is None
