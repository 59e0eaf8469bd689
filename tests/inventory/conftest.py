"""Inventories to render: of a small project, of the shop, and of one whose every name is hostile."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from redis_guard.inventory import take
from redis_guard.report.inventory_model import Inventory
from tests.browser import opened_browser

SHOP = Path(__file__).parents[2] / "fixtures" / "projects" / "shop"

HOSTILE = """import redis

r = redis.Redis()


def work(id):
    r.set(f"</script><script>fetch('https://example.org')</script>:{id}", 1, ex=60)
    r.set(f"<img src=x onerror=alert(1)>:{id}", 1)
    r.incr(f"=cmd|' /C calc'!A0:{id}")
    r.incr(f"@sum(1):{id}")
    r.rpush(f"\\x1b[31m\\u202eqrs:{id}", 1)
    r.set(f"\\"quoted\\" 'and' \\\\slashed: {id}", 1)
    r.set(f"{{tag}}:{id}", 1)
    r.set(f"\\ud800lone:{id}", 1)
    r.set(f"emoji \\U0001f600:{id}", 1)
    r.set(f"# comment: {id}", 1)
"""


@pytest.fixture(scope="session")
def shop() -> Inventory:
    return take((str(SHOP),), use_cache=False).inventory


@pytest.fixture
def taken(project: Callable[..., Path]) -> Callable[..., Inventory]:
    """The inventory of a project with these files."""

    def take_it(files: dict[str, str], config: str = "[tool.redis-guard]\n") -> Inventory:
        return take((str(project(files, config)),), use_cache=False).inventory

    return take_it


@pytest.fixture
def hostile(taken: Callable[..., Inventory]) -> Inventory:
    return taken({"app/=work.py": HOSTILE, "CODEOWNERS": "* @org/<b>bold</b> @org/=evil\n"})


# Playwright keeps an event loop in this thread, in which no other test could run one of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with opened_browser() as browser:
        yield browser
