"""A password that the source gives away is in no output, and in no file that the tool writes for the repository."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.cli.check import _FORMATS

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

CODE = """
import redis

URL = "redis://:Zk48-wallaby@cache:6379/0"
CELERY_BROKER_URL = "redis://:Zk48-wallaby@broker:6379/0"
r = redis.Redis.from_url("redis://:Zk48-wallaby@cache:6379/0")
redis.from_url(
    "redis://:"
    "Zk48-wallaby@cache:6379/0"
).lock("redis://:Zk48-wallaby@cache:6379/0")
r.keys("*"), redis.from_url(URL).keys("*")
"""


@pytest.mark.parametrize("form", _FORMATS)
def test_no_format_shows_it(project: Project, run: Run, form: str) -> None:
    root = project({"app.py": CODE})
    done = run("check", "--select", "ALL", "--output-format", form, cwd=root)
    assert done.returncode == 1
    # SARIF brings the page of the rule along, with its example
    said = done.stdout.replace("Zk48-wallaby@cache.shop.eu", "")
    assert "wallaby" not in said + done.stderr


def test_the_baseline_does_not_hold_it_and_still_fits(project: Project, run: Run) -> None:
    root = project({"app.py": CODE})
    run("check", "--write-baseline", cwd=root)
    baseline = (root / ".redis-guard-baseline.json").read_text()
    assert "RG807" in baseline
    assert "wallaby" not in baseline
    assert run("check", cwd=root).returncode == 0


def test_an_inventory_shows_whom_calls_are_sent_to_without_it(project: Project, run: Run) -> None:
    root = project(
        {"app.py": 'import redis\n\nredis.from_url("redis://:Zk48-wallaby@cache").get("page:7")\n'}
    )
    done = run("inventory", cwd=root)
    assert "page:7" in done.stdout
    assert "wallaby" not in done.stdout


def test_settings_without_a_word_of_code_about_redis_are_judged_too(project: Project, run: Run) -> None:
    root = project({"shop/settings.py": 'CELERY_BROKER_URL = "redis://:Zk48-wallaby@broker:6379/0"\n'})
    done = run("check", "--output-format", "concise", cwd=root)
    assert "shop/settings.py:1:21: RG807 CELERY_BROKER_URL is given a password" in done.stdout
    assert "redis://:…@broker:6379/0" in done.stdout
