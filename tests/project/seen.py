"""Small programs as rules see them: their calls, and what is known of an argument."""

from textwrap import dedent

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import Argument, Call, ModuleUses
from redis_guard.project.names import ModuleNames

HEAD = """\
import redis

r = redis.Redis()
"""


def module(source: str, **others: str) -> ModuleUses:
    """The file `app.py`, which begins with a client `r`; `others` are further files by module name."""
    texts = {"app.py": HEAD + dedent(source)} | {f"{name}.py": dedent(text) for name, text in others.items()}
    linked = link([module_facts(path, text) for path, text in texts.items()], ModuleNames(texts), Settings())
    assert not linked.tracebacks, linked.tracebacks
    found = linked.project.module("app.py")
    assert found is not None
    assert found.error is None
    return found


def calls(source: str, **others: str) -> list[Call]:
    return list(module(source, **others).calls)


def call(source: str, **others: str) -> Call:
    """The only call, or the one marked by being the last."""
    return calls(source, **others)[-1]


def expiry(source: str, **others: str) -> Argument:
    """The lifetime that is given to the last call."""
    (lifetime,) = call(source, **others).lifetimes
    return lifetime.argument


def template(source: str, **others: str) -> str:
    """The key of the last call."""
    key = call(source, **others).key
    assert key is not None
    return key.template
