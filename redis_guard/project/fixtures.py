"""What a pytest fixture gives to the tests that name it.

Law of this file: the nearest fixture of the name: the class, the module, the conftest above.
"""

from redis_guard.facts.model import Scope
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.library import FIXTURE_DECORATORS
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ScopeRef,
    Values,
    Wrapped,
    join,
    through,
)
from redis_guard.project.walk import last_name


def fixture(inf: Asker, ref: ScopeRef, function: Scope, name: str) -> Values:
    """The pytest fixture that the test sees under that name: in its module, or a conftest above it."""
    marks = classes.decorators(function)
    if not (function.name.startswith("test") or marks & FIXTURE_DECORATORS or "usefixtures" in marks):
        return NOTHING
    best: tuple[int, ScopeRef] | None = None
    for other in inf.index.functions.get(name, ()):
        if other == ref or not _is_fixture(inf, other):
            continue
        folder = other.path.rpartition("/")[0]
        if other.path == ref.path:
            rank = 10_000
        elif other.path.endswith("conftest.py") and (not folder or ref.path.startswith(folder + "/")):
            rank = len(folder) + 1
        else:
            rank = 0
        if best is None or rank > best[0]:
            best = (rank, other)
    found = _renamed(inf, name) if best is None else _fixture_value(inf, best[1])
    return through(found, f"fixture {name}", LIKELY) if found else NOTHING


def _fixture_value(inf: Asker, ref: ScopeRef) -> Values:
    found: list[Values] = []
    for value in inf.returned(ref):
        wrapped = isinstance(value.object, Wrapped) and value.object.how in (
            "awaitable",
            "iterator",
            "context",
        )
        found.append(value.object.values if wrapped and isinstance(value.object, Wrapped) else (value,))
    return join(*found)


def _is_fixture(inf: Asker, ref: ScopeRef) -> bool:
    scope = inf.index.scope(ref)
    return any(last_name(mark) in FIXTURE_DECORATORS for mark in scope.decorators)


def _renamed(inf: Asker, name: str) -> Values:
    """`@pytest.fixture(name="redis")`."""
    for site in inf.index.calls.get("fixture", ()):
        for arg in site.call.args:
            if arg.keyword == "name" and getattr(arg.value, "value", None) == name:
                scopes = inf.index.modules[site.path].scopes
                for number, scope in enumerate(scopes):
                    if site.call in scope.decorators and any(mark is site.call for mark in scope.decorators):
                        return _fixture_value(inf, ScopeRef(site.path, number))
    return NOTHING
