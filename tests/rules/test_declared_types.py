"""What the registry declares of types, lifetimes and classes of keys, as the rules that ask for it read it."""

from pathlib import Path

import pytest

from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry, load_registry
from redis_guard.rules.rg402_ttl_dropped import check as dropped
from redis_guard.rules.rg407_cache_no_timeout import check as no_timeout
from redis_guard.rules.rg408_ttl_without_jitter import check as without_jitter
from redis_guard.rules.rg606_type_clash import check as clash
from tests.project.seen import module

REGISTRY = """
version: 1
owners: {web: {contact: web@example.org}}
keyspaces:
  "page:{id}": {class: cache, owner: web, ttl: required, type: string, description: Pages}
  "shape:{id}": {class: durable, owner: web, ttl: none, reason: Rebuilt each night, type: hash, description: Shapes}
  "visit:{id}": {class: durable, owner: web, ttl: required, description: Visits}
"""


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY)
    return load_registry([path])


def test_one_call_of_another_type_than_the_registry_declares_is_reported(registry: Registry) -> None:
    (report,) = clash(ProjectUses((module("def f(n): r.hset(f'page:{n}', 'a', 1)"),)), registry)
    assert "the registry declares page:{id} as a string" in report.message


def test_the_declared_type_is_right_and_what_fits_any_type_says_nothing(registry: Registry) -> None:
    source = "def f(n):\n    r.hset(f'shape:{n}', 'a', 1)\n    r.expire(f'shape:{n}', 9)\n    r.delete(f'shape:{n}')"
    assert not list(clash(ProjectUses((module(source),)), registry))


def test_of_a_declared_type_each_call_that_differs_is_reported_and_no_pair(registry: Registry) -> None:
    source = "def f(n): r.get(f'page:{n}')\ndef g(n): r.hgetall(f'page:{n}')"
    (report,) = clash(ProjectUses((module(source),)), registry)
    assert report.command == "HGETALL"
    assert not report.related


def test_a_key_that_may_stay_may_lose_its_lifetime(registry: Registry) -> None:
    source = "def f(n):\n    r.set(f'{space}:{{n}}', 1, ex=9)\n    r.set(f'{space}:{{n}}', 2)"
    assert not list(dropped(ProjectUses((module(source.format(space="shape")),)), registry))
    assert list(dropped(ProjectUses((module(source.format(space="page")),)), registry))


def test_a_cache_entry_that_may_stay_may_have_no_timeout(registry: Registry) -> None:
    source = "from django.core.cache import cache\ndef f(n): cache.set(f'{space}:{{n}}', 1, timeout=None)"
    assert not list(no_timeout(module(source.format(space="shape")), registry))
    assert list(no_timeout(module(source.format(space="page")), registry))


def test_chance_is_asked_for_where_the_registry_says_cache(registry: Registry) -> None:
    source = "def f(ns):\n    for n in ns: r.set(f'{space}:{{n}}', n.text, ex=900)"
    assert not list(without_jitter(module(source.format(space="visit")), registry))
    assert list(without_jitter(module(source.format(space="page")), registry))
