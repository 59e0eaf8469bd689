"""What production code imports loads nothing that production need not have."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

DOORS = ("redis_guard.registry", "redis_guard.runtime", "redis_guard.runtime.aio")
OF_OTHERS = set("libcst flake8 click rich pathspec prometheus_client opentelemetry pytest".split())
OURS_OF_OTHERS = set("facts source rules report cli check analysis flake8_plugin testing".split())


def loaded_by(module: str) -> set[str]:
    """The modules of a fresh process that has imported `module` and nothing else."""
    program = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    return set(subprocess.check_output([sys.executable, "-c", program], text=True).split())


@pytest.mark.parametrize("door", DOORS)
def test_importing_it_loads_neither_checker_nor_extras(door: str) -> None:
    loaded = loaded_by(door)
    # redis-py 8 loads opentelemetry by itself where it is installed; that is between the two.
    by_us = loaded - loaded_by("redis")

    assert door in loaded
    assert by_us & (OF_OTHERS | {f"redis_guard.{name}" for name in OURS_OF_OTHERS}) == set()


def test_the_registry_does_not_load_redis_either() -> None:
    assert "redis" not in loaded_by("redis_guard.registry")


@pytest.mark.parametrize("name", sorted(OF_OTHERS))
def test_what_must_not_be_loaded_is_there_to_be_loaded(name: str) -> None:
    assert find_spec(name)
