"""Source text to the uses that behaviour is read from."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import ModuleUses
from redis_guard.project.names import ModuleNames

Uses = Callable[[str], ModuleUses]


@pytest.fixture
def uses() -> Uses:
    """The uses of one file whose `r` is a client."""

    def of(text: str) -> ModuleUses:
        source = "import redis\nr = redis.Redis()\n" + dedent(text)
        return link([module_facts("app.py", source)], ModuleNames(["app.py"]), Settings()).project.modules[0]

    return of
