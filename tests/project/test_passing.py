"""A function that gives back what it is given gives each caller what that caller passes."""

from textwrap import dedent

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames

SYNC, ASYNC = "redis.client.Redis", "redis.asyncio.client.Redis"


def types(**files: str) -> dict[str, set[str]]:
    """The types of what Redis methods are called on, by file."""
    texts = {f"{name}.py": dedent(text) for name, text in files.items()}
    linked = link([module_facts(path, text) for path, text in texts.items()], ModuleNames(texts), Settings())
    assert not linked.tracebacks, linked.tracebacks
    return {
        module.path.removesuffix(".py"): {call.type for call in module.calls}
        for module in linked.project.modules
    }


def callers(lib: str, use: str) -> dict[str, set[str]]:
    """Types in files that do the same, the middle one with a client of redis-py, the others with one of asyncio."""
    text = f"import redis\nimport redis.asyncio\nimport lib\nasync def f():\n{{}}{use}"
    awaiting, plain = (f"    given = {root}.Redis()\n    " for root in ("redis.asyncio", "redis"))
    files = {name: text.format(awaiting) for name in ("first", "last")} | {"other": text.format(plain)}
    found = types(lib=lib, first=files["first"], other=files["other"], last=files["last"])
    assert found.pop("lib") == set()
    return found


EACH_ITS_OWN = {"first": {ASYNC}, "other": {SYNC}, "last": {ASYNC}}

SAME = {
    "bare": "def same(c):\n    return c\n",
    "changed": "def same(c):\n    c.x = 1\n    return c\n",
    "renamed": "def same(c):\n    d = c\n    return d\n",
    "lambda": "same = lambda c: c\n",
    "or another": "def same(c, d=None):\n    return c or d\n",
    "in one branch": "def same(c, d=None):\n    if d:\n        c = d\n    return c\n",
    "in a loop": "def same(c, times=3):\n    while times:\n        times, c = times - 1, c\n    return c\n",
    "copied": "import copy\ndef same(c):\n    return copy.copy(c)\n",
    "cast": "from typing import Any, cast\ndef same(c):\n    return cast(Any, c)\n",
    "cast to either": (
        "import redis, redis.asyncio\nfrom typing import cast\n"
        "def same(c):\n    return cast(redis.Redis | redis.asyncio.Redis, c)\n"
    ),
    "through another": "def inner(c, n):\n    return c\ndef same(c):\n    return inner(n=1, c=c)\n",
    "through itself": "def same(c, n=3):\n    if n:\n        return same(c, n - 1)\n    return c\n",
    "generic": (
        "from typing import TypeVar\nT = TypeVar('T')\ndef same(c: T, n: int = 1) -> T:\n    return twin(type(c), c)\n"
    ),
    "generic, in new syntax": "def same[T](c: T, n: int = 1) -> T:\n    return twin(type(c), c)\n",
    "either type": (
        "import redis, redis.asyncio\ntype Either = redis.Redis | redis.asyncio.Redis\n"
        "def same(c: Either) -> Either:\n    c.x = 1\n    return c\n"
    ),
    "local with a type": "from typing import Any\ndef same(c):\n    d: Any = c\n    return d\n",
    "decorated": "def shown(fn):\n    return fn\n@shown\ndef same(c):\n    return c\n",
}


@pytest.mark.parametrize("lib", SAME.values(), ids=SAME)
class TestAFunction:
    def test_gives_a_call_what_that_call_passes(self, lib: str) -> None:
        assert callers(lib, "lib.same(given).incr('k')\n") == EACH_ITS_OWN

    def test_takes_it_by_name(self, lib: str) -> None:
        assert callers(lib, "kept = lib.same(c=given)\n    kept.incr('k')\n") == EACH_ITS_OWN


METHODS = {
    "method": ("class Watch:\n    def same(self, c):\n        return c\n", "Watch().same(given)"),
    "of a class": (
        "class Watch:\n    @classmethod\n    def same(cls, c):\n        return c\n",
        "Watch.same(given)",
    ),
    "static": (
        "class Watch:\n    @staticmethod\n    def same(c):\n        return c\n",
        "Watch().same(given)",
    ),
    "unbound": ("class Watch:\n    def same(self, c):\n        return c\n", "Watch.same(None, given)"),
    "called object": ("class Watch:\n    def __call__(self, c):\n        return c\n", "Watch()(given)"),
    "of a base": (
        "class Base:\n    def same(self, c):\n        return c\n"
        "class Watch(Base):\n    def same(self, c):\n        return super().same(c)\n",
        "Watch().same(given)",
    ),
}


@pytest.mark.parametrize(("lib", "call"), METHODS.values(), ids=METHODS)
def test_a_method_gives_a_call_what_that_call_passes(lib: str, call: str) -> None:
    assert callers(lib, f"lib.{call}.incr('k')\n") == EACH_ITS_OWN


def test_an_asynchronous_function_gives_it_once_awaited() -> None:
    lib = "async def same(c):\n    return c\n"
    assert callers(lib, "(await lib.same(given)).incr('k')\n") == EACH_ITS_OWN


@pytest.mark.parametrize("head", ["def using(c)", "def using(c: T) -> Iterator[T]"])
def test_a_context_manager_gives_it_when_entered(head: str) -> None:
    lib = (
        "from contextlib import contextmanager\nfrom typing import Iterator, TypeVar\nT = TypeVar('T')\n"
        f"@contextmanager\n{head}:\n    yield c\n"
    )
    assert callers(lib, "with lib.using(given) as c:\n        c.incr('k')\n") == EACH_ITS_OWN


def test_what_a_method_of_the_given_object_gives_is_its_own_too() -> None:
    lib = "def piped(c):\n    return c.pipeline(transaction=False)\n"
    use = "lib.piped(given).incr('k')\n"
    found = types(
        lib=lib,
        first=f"import redis.asyncio, lib\ngiven = redis.asyncio.Redis()\n{use}",
        other=f"import redis, lib\ngiven = redis.Redis()\n{use}",
    )
    assert found["other"] == {"redis.client.Pipeline"}
    assert found["first"] == {"redis.asyncio.client.Pipeline"}


@pytest.mark.parametrize("order", [("sync", "async"), ("async", "sync")])
def test_of_overloads_the_one_is_meant_that_takes_what_is_passed(order: tuple[str, str]) -> None:
    stubs = {
        "sync": "@overload\ndef same(c: redis.Redis) -> redis.Redis: ...\n",
        "async": "@overload\ndef same(c: redis.asyncio.Redis) -> redis.asyncio.Redis: ...\n",
    }
    lib = "import redis, redis.asyncio\nfrom typing import overload\n" + "".join(
        stubs[name] for name in order
    )
    assert callers(lib + "def same(c):\n    return c\n", "lib.same(given).incr('k')\n") == EACH_ITS_OWN


class TestWhereMoreIsGiven:
    def test_the_default_is_given_where_nothing_is_passed(self) -> None:
        found = types(
            lib="import redis.asyncio\ndef same(c=redis.asyncio.Redis()):\n    return c\n",
            first="import lib\nlib.same().incr('k')\n",
            other="import lib, redis\nlib.same(redis.Redis()).incr('k')\n",
        )
        assert (found["first"], found["other"]) == ({ASYNC}, {SYNC})

    def test_what_the_function_makes_itself_is_given_to_all(self) -> None:
        found = types(
            lib="import redis\ndef same(c):\n    return c or redis.Redis()\n",
            first="import lib\nlib.same(None).incr('k')\n",
            other="import lib, redis\nlib.same(redis.RedisCluster()).get('k')\n",
        )
        assert found["first"] == {SYNC}

    def test_arguments_behind_a_star_may_be_what_anybody_passes(self) -> None:
        found = types(
            lib="def same(c):\n    return c\n",
            first="import lib\ndef f(*args):\n    lib.same(*args).incr('k')\n",
            other="import lib, redis\nlib.same(redis.Redis()).incr('k')\n",
        )
        assert found["first"] == {SYNC}

    def test_who_passes_none_gets_none(self) -> None:
        found = types(
            lib="def same(c):\n    return c\n",
            first="import lib\nlib.same({}).get('k')\n",
            other="import lib, redis\nlib.same(redis.Redis()).get('k')\n",
        )
        assert found["first"] == set()


FOREIGN = {
    "from redis_guard.runtime.observing import observe": [
        "observe(c, registry, told)",
        "observe(registry=r, client=c)",
    ],
    "from redis_guard.runtime import observing": ["observing.observe(c, r, told)"],
    "import copy": ["copy.copy(c)", "copy.deepcopy(c)"],
    "import weakref": ["weakref.proxy(c)"],
    "import typing": ["typing.cast(Any, c)", "typing.cast('Client', val=c)", "typing.assert_type(c, Any)"],
    "from typing_extensions import reveal_type": ["reveal_type(c)"],
}


@pytest.mark.parametrize(
    ("said", "call"), [(said, call) for said, calls in FOREIGN.items() for call in calls]
)
class TestAForeignFunction:
    @pytest.mark.parametrize(("root", "type_"), [("redis", SYNC), ("redis.asyncio", ASYNC)])
    def test_that_gives_back_its_argument(self, said: str, call: str, root: str, type_: str) -> None:
        text = f"import {root}\n{said}\nc = {root}.Redis()\nmade = {call}\nmade.incr('k')\n"
        assert types(app=text)["app"] == {type_}

    def test_gives_nothing_of_redis_for_anything_else(self, said: str, call: str) -> None:
        assert types(app=f"import redis\n{said}\nc = {{}}\nmade = {call}\nmade.get('k')\n")["app"] == set()
