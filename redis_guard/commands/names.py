"""Method names that only a Redis client has: a call of one speaks for Redis whatever it is called on.

Law of this file: a name is left out as soon as a well-known library has a method or function of that name
(`zscore` of SciPy, `xrange` of six, `mget` of Elasticsearch, `incr` of Django's cache, `ltrim` of SQL).
"""

_NAMES = """
    setex psetex setnx getset getdel getex getrange setrange incrby incrbyfloat decrby mset msetnx msetex
    setbit getbit bitcount bitpos bitop bitfield_ro hset hsetnx hmset hmget hget hgetall
    hdel hexists hincrby hincrbyfloat hkeys hlen hvals hstrlen hrandfield hscan hscan_iter hexpire hpexpire
    hexpireat hpexpireat hpersist httl hpttl hgetdel hgetex hsetex lpush rpush lpushx rpushx lpop rpop blpop
    brpop lmpop blmpop lmove blmove rpoplpush brpoplpush lrange lrem lindex linsert llen lset lpos
    sadd srem scard smembers sismember smismember srandmember spop smove sinter sinterstore sintercard
    sunion sunionstore sdiff sdiffstore sscan sscan_iter zadd zincrby zrem zcard zcount zrank zrevrank
    zrange zrevrange zrangebyscore zrevrangebyscore zrangebylex zrevrangebylex zrangestore zremrangebyrank
    zremrangebyscore zremrangebylex zlexcount zmscore zpopmin zpopmax bzpopmin bzpopmax zmpop bzmpop
    zrandmember zunion zunionstore zinter zinterstore zintercard zdiff zdiffstore zscan zscan_iter xadd xack
    xlen xread xreadgroup xrevrange xtrim xclaim xautoclaim xpending xpending_range xgroup_create
    xgroup_createconsumer xgroup_delconsumer xgroup_destroy xgroup_setid xinfo_consumers xinfo_groups
    xinfo_stream geoadd geopos georadius georadiusbymember geosearch geosearchstore pfadd pfcount
    pfmerge expireat pexpire pexpireat pttl pexpiretime renamenx randomkey scan_iter sort_ro evalsha
    evalsha_ro eval_ro fcall fcall_ro script_load register_script psubscribe punsubscribe ssubscribe
    sunsubscribe spublish pubsub_channels pubsub_numsub pubsub_numpat flushdb flushall dbsize swapdb bgsave
    bgrewriteaof lastsave debug_object slowlog_get config_resetstat client_setname client_getname
"""

REDIS_ONLY_METHODS = frozenset(_NAMES.split())
"""A call of one of these on a receiver of unknown type is taken for Redis."""
