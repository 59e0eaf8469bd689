"""Source text to the uses that behaviour is read from."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import ModuleUses, ProjectUses
from redis_guard.project.names import ModuleNames

Uses = Callable[..., ProjectUses]


@pytest.fixture
def project_uses() -> Uses:
    """The uses of these files, each of which has a client `r`."""

    def build(*bodies: str) -> ProjectUses:
        paths = [f"m{number}.py" for number in range(len(bodies))]
        head = "import redis\n\nr = redis.Redis()\n\n"
        modules = [module_facts(path, head + body) for path, body in zip(paths, bodies, strict=True)]
        return link(modules, ModuleNames(paths), Settings()).project

    return build


@pytest.fixture
def project_of() -> Callable[[dict[str, str]], ProjectUses]:
    """The uses of these files, by their paths; those in `tests` are tests."""

    def build(files: dict[str, str]) -> ProjectUses:
        modules = [module_facts(path, text) for path, text in files.items()]
        settings = Settings(is_test=lambda path: path.startswith("tests/"))
        return link(modules, ModuleNames(list(files)), settings).project

    return build


@pytest.fixture
def uses() -> Callable[[str], ModuleUses]:
    """The uses of one file, which begins with two lines that make a client `r`."""

    def of(text: str) -> ModuleUses:
        source = "import redis\nr = redis.Redis()\n" + dedent(text)
        return link([module_facts("app.py", source)], ModuleNames(["app.py"]), Settings()).project.modules[0]

    return of
