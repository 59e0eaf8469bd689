"""Which files are worth parsing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.source.sieve import mentions_any, mentions_client


@pytest.mark.parametrize(
    "source",
    [
        "import redis",
        "import redis.asyncio as aioredis",
        "from redis.asyncio.cluster import RedisCluster",
        "def f():\n    from valkey import Valkey",
        "from app.compat import redis",
        "from testcontainers.redis import RedisContainer",
        "from django_redis import get_redis_connection",
        "import fakeredis.aioredis",
        "from walrus import Database",
        "import importlib\nr = importlib.import_module('redis')",
        "from django.core.cache import cache",
        "from django.core.cache import caches as c",
        "from django.core import cache",
        "import django.core.cache",
        "from rq import Queue\nq.connection.set(k, v)",
        "from celery import current_app\ncurrent_app.backend.client.get(k)",
    ],
)
def test_a_file_that_imports_a_client_library_passes(source):
    assert mentions_client(source.encode())


@pytest.mark.parametrize(
    ("source", "passes"),
    [
        ("CELERY_BROKER_URL = 'redis://:Zk48@broker:6379/0'", True),
        ("X = {'LOCATION': 'VALKEYS://shop:Zk48@cache'}", True),
        ("X = 'redis+socket://:Zk48@/run/redis.sock'", True),
        ("CELERY_BROKER_URL = 'redis://broker:6379/0'", False),
        ("CELERY_BROKER_URL = 'amqp://redis:Zk48@broker'", False),
    ],
)
def test_settings_that_give_a_password_away_pass(source, passes):
    assert mentions_client(source.encode()) is passes


@pytest.mark.parametrize(
    "source",
    [
        "def f(redis):\n    redis.get('a')",
        "self.redis_client.get('a')",
        "self._redis\\\n  .get('a')",
        "get_redis().get('a')",
        "r = make_redis()",
        "r = redis_pool[0]",
        "r = request.app['redis']",
        'ctx["redis"].get(k)',
        "getattr(app.state, 'redis_client').get(k)",
        "app.extensions.get(\n    'redis')",
        "def test_it(redis_client):\n    use(redis_client)",
        "REDIS.get('a')",
        "REDIS_CONN.get('a')",
        "RedisDB.get('a')",
        "valkey.get('a')",
        "my_valkey.get('a')",
        "f'{redis.get(k)}'",
        "f'''\n{redis.get(k)}'''",
        "rf'{redis.get(k)}'",
        "x = 'it''s' + redis.get(k)",
        "x = '''\n' # ''' + redis.get(k)",
        'x = "#" + redis.get(k)',
        "x = 'a\\'b' + redis.get(k)",
        'print(f"{d["a"]} {redis.get(k)}")',
        'print(f"{d["a"]}" + redis.get(k))',
        'f"{d["a"]} and {\'b\'}"\nredis.get(k)',
        "don't = redis.get(k)",
        "async with redis_lock:\n    pass",
        "self.server.zadd('a', b)  # on Redis",
        '"""server: a StrictRedis"""\nself.server.lpush(k, v)',
    ],
)
def test_a_file_whose_code_speaks_of_a_client_passes(source):
    assert mentions_client(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "",
        "x = 1",
        "# redis.get('a') is slow",
        '"""Stores it in redis. See redis.get()."""\nx = 1',
        "URL = 'redis://localhost/' + name",
        "REDIS_URL = env('REDIS_URL')",
        "settings.redis_url.lower()",
        "connect(redis_host, redis_port, redis_password)",
        "f'redis:{key}'",
        "CACHES = {'BACKEND': 'django_redis.cache.RedisCache'}",
        "def redis_is_nice(): pass",
        "class RedisThing: pass",
        "class Thing(RedisThing): pass",
        "raise RedisError",
        "redistribute(x)",
        "self.storedisk.get(x)",
        "ctx['redis_url']",
        "from celery import shared_task\n@shared_task\ndef f(): pass",
        "self.server.zadd('a', b)",
        "sock.connection.close()",
    ],
)
def test_a_file_that_only_has_the_word_or_not_even_that_does_not_pass(source):
    assert not mentions_client(source.encode())


@pytest.mark.parametrize("many", [False, True])
def test_names_are_sought_as_words_of_their_own(many):
    others = {f"nobody{number}".encode() for number in range(20 if many else 1)}
    data = b"from shop import client_of\nx = client.get()\n\xc3\xa9t = 1\nresult(a_b)"
    assert mentions_any(data, others | {b"client"})
    assert mentions_any(data, others | {b"client_of"})
    assert mentions_any(data, [*others, b"a_b"])
    assert not mentions_any(data, others | {b"lient"})
    assert not mentions_any(data, others | {b"sho"})
    assert not mentions_any(data, others | {b"t"})
    assert not mentions_any(data, others)
    assert not mentions_any(data, [])


words = st.lists(
    st.sampled_from(
        [*"\"'#{}[]()\\\n .", '"""', "'''", "f'", "redis", "Valkey", "get", "import ", "from ", "\xff"]
    )
)


@given(words)
def test_any_bytes_are_judged(pieces):
    data = "".join(pieces).encode("latin-1")
    assert mentions_client(data) in (True, False)


@pytest.mark.parametrize(
    "unit",
    [
        "redis",
        "redis ",
        "'redis",
        '"""redis',
        '\\"""redis',
        "\\'redis'",
        "get",
        "get(redis",
        "['redis",
        "[ ",
        ".z",
        "redis'\\\n",
        "f'{redis_url",
        "#redis'''",
        "redis_url(",
        ".redisurl",
        "def redis",
        "xgetget(,'redis:'",
    ],
)
def test_time_grows_with_size_on_files_made_to_be_slow(unit):
    started = time.process_time()
    mentions_client(unit.encode() * (100_000 // len(unit)))
    assert time.process_time() - started < 5
