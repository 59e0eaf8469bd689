"""Run with the runtime's tests where only redis and PyYAML are installed beside the package: that it is so.

Its name keeps it from being collected elsewhere, where it would be wrong.
"""

import sys
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

import redis_guard


def test_nothing_else_is_installed() -> None:
    assert {each.name.lower() for each in distributions()} == {"redis-guard", "redis", "pyyaml"}


def test_the_package_is_the_installed_one() -> None:
    assert Path(redis_guard.__file__).is_relative_to(sys.prefix)


def test_the_checker_could_not_run() -> None:
    assert find_spec("libcst") is None
