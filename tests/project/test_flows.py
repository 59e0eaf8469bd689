"""How a Redis object gets to the place where it is used."""

from collections.abc import Callable

Found = Callable[..., list[tuple[str, str]]]
Ways = Callable[[str, str], list[tuple[str, int]]]


class TestParameters:
    def test_an_untyped_parameter_is_what_callers_pass(self, found: Found) -> None:
        source = """
            import redis
            def bump(conn, key):
                conn.incr(key)
            bump(redis.Redis(), "k")
        """
        assert found(source) == [("client", "incr")]

    def test_an_option_spread_into_a_constructor_is_passed(self, found: Found) -> None:
        source = """
            import redis
            class Sink:
                def __init__(self, server, key="k"):
                    self.server = server
                def put(self, item):
                    self.server.rpush("items", item)
            def make(settings):
                params = {"server": redis.Redis()}
                if settings:
                    params["key"] = settings
                return Sink(**params)
        """
        assert found(source) == [("client", "rpush")]

    def test_a_class_passed_and_called_builds_a_client(self, found: Found) -> None:
        source = """
            from redis import Redis
            def connect(cls, url):
                if url:
                    return cls.from_url(url)
                return cls(host="h")
            connect(Redis, "").ping()
        """
        assert ("client", "ping") in found(source)

    def test_the_fallback_of_a_lookup_counts(self, found: Found) -> None:
        source = """
            import redis
            def make(**kwargs):
                cls = kwargs.pop("cls", redis.StrictRedis)
                return cls(**kwargs)
            make().get("k")
        """
        assert ("client", "get") in found(source)

    def test_a_protocol_of_client_methods_describes_a_client(self, found: Found) -> None:
        source = """
            from typing import Protocol
            class Store(Protocol):
                def incrby(self, key: str, n: int) -> int: ...
                def hset(self, key: str, field: str, value: str) -> int: ...
                def get(self, key: str) -> bytes | None: ...
            def bump(store: Store) -> None:
                store.incrby("k", 1)
        """
        assert found(source) == [("client", "incrby")]

    def test_a_protocol_of_common_methods_does_not(self, found: Found) -> None:
        source = """
            from typing import Protocol
            class Cache(Protocol):
                def get(self, key: str) -> bytes | None: ...
                def set(self, key: str, value: str) -> bool: ...
            def read(cache: Cache) -> None:
                cache.get("k")
        """
        assert found(source) == []


class TestClassesNamedInSettings:
    def test_an_option_is_not_taken_for_another_of_the_same_settings(self, ways: Ways) -> None:
        source = """
            from importlib import import_module
            OPTIONS = {"POOL": "redis.connection.ConnectionPool", "CLIENT": "redis.client.Redis"}
            def connect():
                cls = import_module(OPTIONS.get("FACTORY", "valkey.Valkey"))
                return cls()
            connect().get("k")
        """
        assert [how.rpartition(" from ")[2] for how, _ in ways(source, "get")] == ["valkey.Valkey()"]


class TestClassesThatExtendAClient:
    def test_a_method_that_hands_on_to_the_one_it_replaces_is_no_use(self, found: Found) -> None:
        source = """
            import redis
            class Prefixed(redis.Redis):
                def execute_command(self, *args):
                    return super().execute_command("app:", *args)
                def twice(self, key):
                    return super().get(key), super().get(key)
            Prefixed().execute_command("GET", "k")
        """
        assert found(source) == [("client", "execute_command"), ("client", "get"), ("client", "get")]


class TestAliases:
    def test_a_name_for_an_annotation_is_that_annotation(self, found: Found) -> None:
        files = {
            "deps.py": """
                from typing import Annotated
                from fastapi import Depends
                from redis.asyncio import Redis
                def connect(request) -> Redis:
                    return request.app.state.redis
                AsyncRedis = Annotated[Redis, Depends(connect)]
                Maybe = Redis | None
            """,
            "api.py": "from deps import AsyncRedis, Maybe as Conn\n",
            "app.py": """
                import api
                from deps import AsyncRedis
                async def one(client: AsyncRedis):
                    await client.get("k")
                async def two(client: api.Conn):
                    await client.delete("k")
            """,
        }
        assert found(files) == [("client", "get"), ("client", "delete")]

    def test_a_name_bound_to_itself_ends(self, found: Found) -> None:
        files = {
            "one.py": "from other import Conn\n",
            "other.py": "from one import Conn\ndef f(client: Conn):\n    client.get('k')\n",
        }
        assert found(files) == []


class TestModules:
    def test_a_module_named_like_the_library_inside_a_package_is_not_the_library(self, found: Found) -> None:
        files = {
            "app/__init__.py": "",
            "app/redis.py": "import redis\n\ndef client():\n    return redis.Redis()\n",
            "app/jobs.py": "from app.redis import client\n\nclient().lpush('q', 1)\n",
        }
        assert found(files) == [("client", "lpush")]

    def test_a_submodule_is_found_behind_the_import_that_names_it(self, found: Found) -> None:
        files = {
            "app/__init__.py": "from . import db\n",
            "app/db.py": "import redis\n\ndef client() -> redis.Redis: ...\n",
            "app/jobs.py": "from . import db\n\ndb.client().sadd('s', 1)\n",
        }
        assert found(files) == [("client", "sadd")]

    def test_a_class_named_by_a_dotted_string_is_built(self, found: Found) -> None:
        source = """
            from django.utils.module_loading import import_string
            class Factory:
                def __init__(self, options):
                    path = options.get("CLIENT", "redis.client.Redis")
                    self.cls = import_string(path)
                def connect(self):
                    return self.cls(host="h")
            Factory({}).connect().hget("h", "f")
        """
        assert ("client", "hget") in found(source)

    def test_sentinel_of_a_module_held_in_an_attribute(self, found: Found) -> None:
        source = """
            class Storage:
                def __init__(self, dependency):
                    self.master = dependency.Sentinel([]).master_for("m")
                def clear(self):
                    self.master.flushdb()
        """
        assert found(source) == [("sentinel", "master_for"), ("client", "flushdb")]

    def test_not_where_the_file_speaks_to_another_library(self, found: Found) -> None:
        source = """
            import coredis
            def connect(dependency):
                dependency.sentinel.Sentinel([]).master_for("m").flushdb()
        """
        assert found(source) == []


class TestAttributes:
    def test_an_attribute_filled_through_the_class(self, found: Found) -> None:
        source = """
            import redis
            class Store:
                script = None
                def __init__(self):
                    self.db = redis.Redis()
                def register(self):
                    cls = self.__class__
                    cls.script = self.db.register_script("return 1")
                def run(self):
                    self.script(keys=["k"])
        """
        assert found(source) == [("client", "register_script"), ("script", "__call__")]

    def test_a_class_kept_in_an_attribute_and_instantiated(self, found: Found) -> None:
        source = """
            from redis import Redis
            class Scheduler:
                def __init__(self, connection: Redis):
                    self.cls = connection.__class__
                def work(self):
                    self.cls().hset("h", "f", 1)
        """
        assert found(source) == [("client", "hset")]

    def test_what_a_base_sets_is_void_where_its_init_is_not_called(self, found: Found) -> None:
        source = """
            import redis
            from glide_sync import GlideClient
            class Storage:
                def __init__(self):
                    self.conn = redis.Redis()
                def push(self, item):
                    self.conn.lpush("q", item)
            class GlideStorage(Storage):
                def __init__(self):
                    self.conn = GlideClient.create({})
                def pull(self):
                    return self.conn.rpop("q")
        """
        assert found(source) == [("client", "lpush")]

    def test_an_attribute_of_oneself_is_not_that_of_another_class(self, found: Found) -> None:
        source = """
            import redis
            class Subscription:
                def __init__(self):
                    self.sub = redis.Redis().pubsub()
            class View:
                def leave(self):
                    self.sub.unsubscribe()
        """
        assert found(source) == [("client", "pubsub")]


class TestContainers:
    def test_a_registry_of_registries(self, found: Found) -> None:
        source = """
            import redis
            SCRIPTS = {}
            def script(client, text):
                SCRIPTS[id(client)] = {}
                SCRIPTS[id(client)][text] = client.register_script(text)
                return SCRIPTS[id(client)][text]
            script(redis.Redis(), "return 1")(keys=[])
        """
        assert ("script", "__call__") in found(source)

    def test_a_loop_over_the_values_of_an_attribute(self, found: Found) -> None:
        source = """
            import redis
            class Shards:
                def __init__(self, names):
                    self.servers = self.connect(names)
                def connect(self, names):
                    servers = {}
                    for name in names:
                        servers[name] = redis.Redis(name)
                    return servers
                def clear(self):
                    for server in self.servers.values():
                        server.flushdb()
        """
        assert found(source) == [("client", "flushdb")]


class TestContexts:
    def test_an_untyped_context_manager_over_a_parameter_or_a_new_client(self, found: Found) -> None:
        source = """
            from contextlib import contextmanager
            import redis
            @contextmanager
            def acquire(client=None):
                if client:
                    yield client
                else:
                    yield redis.Redis()
            with acquire() as conn:
                with conn.pipeline() as pipe:
                    pipe.lpush("q", 1).expire("q", 60).execute()
        """
        methods = [method for _, method in found(source)]
        assert methods == ["pipeline", "execute", "expire", "lpush"]

    def test_functions_that_call_each_other_agree(self, found: Found) -> None:
        source = """
            import redis
            def first(conn, depth):
                conn.get("k")
                if depth:
                    second(conn, depth - 1)
            def second(conn, depth):
                conn.delete("k")
                first(conn, depth)
            first(redis.Redis(), 3)
        """
        assert found(source) == [("client", "get"), ("client", "delete")]


class TestNamesAlone:
    def test_a_parameter_named_like_a_client_is_guessed(self, found: Found) -> None:
        assert found("def f(redis_client):\n    redis_client.hset('h', 'f', 1)\n") == [("client", "hset")]

    def test_not_where_its_value_is_known(self, found: Found) -> None:
        assert found("def f():\n    redis = []\n    redis.append(1)\n") == []

    def test_not_where_the_project_gives_the_name_to_a_class_of_its_own(self, found: Found) -> None:
        files = {
            "store.py": "class Store:\n    def get(self, key): ...\n\nREDIS_CONN = Store()\n",
            "test_store.py": "def test(module):\n    module.REDIS_CONN.get('k')\n",
        }
        assert found(files) == []

    def test_a_mock_is_no_client(self, found: Found) -> None:
        source = """
            from unittest.mock import MagicMock
            redis_client = MagicMock()
            redis_client.get("k")
        """
        assert found(source) == []

    def test_a_client_that_a_package_from_elsewhere_hands_out_is_guessed(self, found: Found) -> None:
        source = """
            from infra.connections import get_redis, redis_client
            redis_client.setnx("k", 1)
            with get_redis(1).pipeline() as pipe:
                pipe.incr("n")
        """
        assert found(source) == [("client", "setnx"), ("client", "pipeline"), ("pipeline", "incr")]

    def test_a_function_of_unknown_result_is_guessed_by_its_name(self, found: Found) -> None:
        source = """
            def get_redis(app):
                return getattr(app, "connection")
            def f(app):
                client = get_redis(app)
                client.hset("h", "f", 1)
        """
        assert found(source) == [("client", "hset")]

    def test_not_what_wraps_a_client_nor_another_library(self, found: Found) -> None:
        source = """
            from infra.clients import redis_store
            from coredis import redis
            def ping_redis(app):
                return app.ping
            redis_store.set("k", 1)
            redis.get("k")
            ping_redis(1).get("k")
        """
        assert found(source) == []

    def test_an_annotation_outweighs_a_guess(self, found: Found) -> None:
        source = """
            from infra.connections import get_redis
            class Store:
                def get(self, key): ...
            store: Store = get_redis()
            store.get("k")
        """
        assert found(source) == []

    def test_a_class_does_not_have_what_instances_of_another_are_given(self, found: Found) -> None:
        source = """
            import redis
            from elsewhere import Protocol
            class Cache:
                def __init__(self):
                    self.redis = redis.Redis()
            limits = {"web": [Protocol.redis]}
            def allowed(name):
                return name in limits.get(name, [])
        """
        assert found(source) == []


class TestTheWayToAnObject:
    def test_is_told_of_each_by_itself(self, ways: Ways) -> None:
        source = """
            from redis import Redis
            def one(first: Redis):
                first.pipeline().execute()
            def two(second: Redis):
                second.pipeline().execute()
        """
        hows = [how for how, _ in ways(source, "execute")]
        assert [how.split(" of ")[0] for how in hows] == ["parameter first", "parameter second"]

    def test_a_weak_step_of_one_does_not_weaken_another(self, ways: Ways) -> None:
        source = """
            from infra import redis_client
            from redis import Redis
            def guess():
                redis_client.pipeline().execute()
            def sure(client: Redis):
                client.pipeline().execute()
        """
        assert [grade for _, grade in ways(source, "execute")] == [0, 2]
