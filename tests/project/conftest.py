"""Tiny projects, given as path -> source, and the Redis uses that inference finds in them."""

from collections.abc import Callable
from textwrap import dedent
from typing import TypeAlias

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.index import ProjectIndex
from redis_guard.project.inference import Inference
from redis_guard.project.names import ModuleNames
from redis_guard.project.sites import Use, uses

Found: TypeAlias = Callable[..., list[tuple[str, str]]]


def project_uses(sources: dict[str, str]) -> list[Use]:
    modules = [module_facts(path, dedent(source)) for path, source in sources.items()]
    inference = Inference(ProjectIndex(modules, ModuleNames(sources)))
    return [use for path in sources for use in uses(inference, path)]


@pytest.fixture
def found() -> Found:
    """(kind, method) of every use in the given files, in source order; one text is the file `app.py`."""

    def find(sources: str | dict[str, str]) -> list[tuple[str, str]]:
        given = {"app.py": sources} if isinstance(sources, str) else sources
        return [(use.value.object.kind, use.method) for use in project_uses(given)]  # type: ignore[union-attr]

    return find


@pytest.fixture
def ways() -> Callable[[str, str], list[tuple[str, int]]]:
    """How a receiver is known, and how surely, at every use of one method in the file `app.py`."""

    def find(source: str, method: str) -> list[tuple[str, int]]:
        seen = project_uses({"app.py": source})
        return [(use.value.how, use.value.grade) for use in seen if use.method == method]

    return find
