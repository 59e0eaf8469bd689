"""Source in, uses out."""

from collections.abc import Callable

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import ProjectUses
from redis_guard.project.names import ModuleNames

HEAD = "import redis\n\nr = redis.Redis()\n\n"

Uses = Callable[..., ProjectUses]


@pytest.fixture
def uses() -> Uses:
    """The uses of these files, each of which has a client `r`."""

    def build(*bodies: str) -> ProjectUses:
        paths = [f"m{number}.py" for number in range(len(bodies))]
        modules = [module_facts(path, HEAD + body) for path, body in zip(paths, bodies, strict=True)]
        return link(modules, ModuleNames(paths), Settings()).project

    return build
