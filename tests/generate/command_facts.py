"""Facts about server commands that no inspection tells: what a command is for, what it does to a lifetime.

Law of this file: a command that writes stands in FAMILIES; the tests try lifetimes and creation on a server.
"""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def spread(groups: dict[str, str]) -> dict[str, str]:
    """From `group: its commands` to `command: its group`; a `|` in a command's name stands for a space."""
    return {command.replace("|", " "): group for group, text in groups.items() for command in text.split()}


FAMILIES = spread(
    {
        "set": "SET SETEX PSETEX MSET MSETEX GETSET",
        "setnx": "SETNX MSETNX",
        "string-edit": "APPEND SETRANGE SETBIT BITFIELD BITOP",
        "counter": """
            INCR INCRBY INCRBYFLOAT INCREX DECR DECRBY HINCRBY HINCRBYFLOAT ZINCRBY JSON.NUMINCRBY
            JSON.NUMMULTBY JSON.NUMPOWBY TS.INCRBY TS.DECRBY CMS.INCRBY TOPK.INCRBY
        """,
        "collection-write": """
            HSET HMSET HSETNX HSETEX HIMPORT|SET SADD LPUSH RPUSH LPUSHX RPUSHX LINSERT LSET ZADD XADD
            GEOADD PFADD PFMERGE SDIFFSTORE SINTERSTORE SUNIONSTORE ZDIFFSTORE ZINTERSTORE ZUNIONSTORE
            ZRANGESTORE GEOSEARCHSTORE ARSET ARMSET ARINSERT ARRING ARSEEK VADD VSETATTR JSON.SET JSON.MSET
            JSON.MERGE JSON.ARRAPPEND JSON.ARRINSERT JSON.STRAPPEND JSON.TOGGLE TS.ADD TS.MADD TS.CREATE
            TS.ALTER TS.CREATERULE TS.DELETERULE BF.ADD BF.MADD BF.INSERT BF.RESERVE BF.LOADCHUNK CF.ADD
            CF.ADDNX CF.INSERT CF.INSERTNX CF.RESERVE CF.LOADCHUNK CF.COMPACT CMS.INITBYDIM CMS.INITBYPROB
            CMS.MERGE TOPK.RESERVE TOPK.ADD TDIGEST.CREATE TDIGEST.ADD TDIGEST.MERGE TDIGEST.RESET FT.SUGADD
        """,
        "collection-move": "LMOVE BLMOVE LMOVEM BLMOVEM RPOPLPUSH BRPOPLPUSH SMOVE",
        "collection-remove": """
            HDEL SREM LREM LTRIM ZREM ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE XDEL XDELEX XACKDEL
            XTRIM ARDEL ARDELRANGE VREM JSON.CLEAR JSON.ARRTRIM TS.DEL CF.DEL FT.SUGDEL
        """,
        "pop": """
            LPOP RPOP BLPOP BRPOP LMPOP BLMPOP SPOP ZPOPMIN ZPOPMAX BZPOPMIN BZPOPMAX ZMPOP BZMPOP HGETDEL
            JSON.ARRPOP
        """,
        "get-delete": "GETDEL",
        "delete": "DEL UNLINK DELEX DELIFEQ JSON.DEL JSON.FORGET",
        "rename": "RENAME RENAMENX",
        "copy": "COPY MOVE RESTORE RESTORE-ASKING MIGRATE",
        "expire": "EXPIRE PEXPIRE EXPIREAT PEXPIREAT",
        "persist": "PERSIST",
        "ttl": "TTL PTTL EXPIRETIME PEXPIRETIME",
        "field-expire": "HEXPIRE HPEXPIRE HEXPIREAT HPEXPIREAT HPERSIST",
        "field-ttl": "HTTL HPTTL HEXPIRETIME HPEXPIRETIME",
        "exists": "EXISTS",
        "read": """
            GETEX HGETEX SORT GEORADIUS GEORADIUSBYMEMBER XREADGROUP DIGEST STRALGO SUNIONCARD SDIFFCARD
            DEBUG|OBJECT OBJECT ARCOUNT ARGET ARGETRANGE ARGREP ARINFO ARLASTITEMS ARLEN ARMGET ARNEXT AROP
            ARSCAN VCARD VDIM VEMB VGETATTR VINFO VLINKS VRANDMEMBER VRANGE VSIM VISMEMBER JSON.GET
            JSON.MGET JSON.ARRINDEX JSON.ARRLEN JSON.OBJKEYS JSON.OBJLEN JSON.RESP JSON.STRLEN JSON.TYPE
            JSON.DEBUG TS.GET TS.MGET TS.RANGE TS.REVRANGE TS.MRANGE TS.MREVRANGE TS.NRANGE TS.NREVRANGE
            TS.READ TS.INFO TS.QUERYINDEX TS.QUERYLABELS BF.EXISTS BF.MEXISTS BF.INFO BF.CARD BF.SCANDUMP
            CF.EXISTS CF.MEXISTS CF.COUNT CF.INFO CF.SCANDUMP CMS.QUERY CMS.INFO TOPK.QUERY TOPK.COUNT
            TOPK.LIST TOPK.INFO TDIGEST.BYRANK TDIGEST.BYREVRANK TDIGEST.CDF TDIGEST.INFO TDIGEST.MAX
            TDIGEST.MIN TDIGEST.QUANTILE TDIGEST.RANK TDIGEST.REVRANK TDIGEST.TRIMMED_MEAN FT.SEARCH
            FT.AGGREGATE FT.HYBRID FT.CURSOR FT.MGET FT.GET FT.SUGGET FT.SUGLEN FT.TAGVALS FT.SPELLCHECK
            FT.EXPLAIN FT.EXPLAINCLI FT.PROFILE FT.INFO FT.DICTDUMP FT.SYNDUMP FT.ALIASLIST FT._LIST
        """,
        "scan": "SCAN HSCAN SSCAN ZSCAN",
        "keys": "KEYS",
        "flush": "FLUSHALL FLUSHDB",
        "stream-group": """
            XACK XCLAIM XAUTOCLAIM XNACK XCFGSET XSETID XGROUP|CREATE XGROUP|CREATECONSUMER
            XGROUP|DELCONSUMER XGROUP|DESTROY XGROUP|SETID
        """,
        "index": """
            FT.CREATE FT.ALTER FT.DROPINDEX FT.DROP FT.ADD FT.ADDHASH FT.SAFEADD FT.DEL FT.ALIASADD
            FT.ALIASDEL FT.ALIASUPDATE FT.DICTADD FT.DICTDEL FT.SYNADD FT.SYNUPDATE FT.CONFIG
        """,
        "script": "EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO TFCALL TFCALLASYNC",
        "script-admin": """
            SCRIPT|LOAD SCRIPT|EXISTS SCRIPT|FLUSH SCRIPT|KILL SCRIPT|DEBUG SCRIPT|SHOW FUNCTION|LOAD
            FUNCTION|DELETE FUNCTION|FLUSH FUNCTION|RESTORE FUNCTION|DUMP FUNCTION|LIST FUNCTION|KILL
            FUNCTION|STATS TFUNCTION|LOAD TFUNCTION|DELETE TFUNCTION|LIST
        """,
        "publish": "PUBLISH SPUBLISH",
        "subscribe": "SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE",
        "transaction": "MULTI EXEC DISCARD WATCH UNWATCH",
        "admin": """
            SWAPDB PFDEBUG CLUSTER|FLUSHSLOT LOLWUT LOLWUT|VERSION DBSIZE DEBUG|SEGFAULT HOTKEYS|START
            HOTKEYS|STOP HOTKEYS|GET HOTKEYS|RESET HIMPORT|PREPARE HIMPORT|DISCARD HIMPORT|DISCARDALL
            CLIENT|KILL SENTINEL SENTINEL|CKQUORUM SENTINEL|FAILOVER SENTINEL|FLUSHCONFIG
            SENTINEL|GET-MASTER-ADDR-BY-NAME SENTINEL|MASTER SENTINEL|MASTERS SENTINEL|MONITOR
            SENTINEL|REMOVE SENTINEL|RESET SENTINEL|SENTINELS SENTINEL|SET SENTINEL|SLAVES SENTINEL|REPLICAS
            REDISGEARS_2.REFRESHCLUSTER
        """,
    }
)

_LIFETIME_OF_FAMILY = {
    "set": "clears",
    "setnx": "clears",
    "string-edit": "keeps",
    "counter": "keeps",
    "collection-write": "keeps",
    "collection-move": "keeps",
    "collection-remove": "keeps",
    "pop": "keeps",
    "get-delete": "ends",
    "delete": "ends",
    "rename": "moves",
    "copy": "moves",
    "expire": "sets",
    "persist": "removes",
    "field-expire": "keeps",
    "flush": "ends",
    "stream-group": "keeps",
    "script": "unknown",
}

_LIFETIMES = spread(
    {
        "sets": "SETEX PSETEX RESTORE RESTORE-ASKING",
        "may-set": "SET MSETEX INCREX GETEX",
        "clears": """
            BITOP SDIFFSTORE SINTERSTORE SUNIONSTORE ZDIFFSTORE ZINTERSTORE ZUNIONSTORE ZRANGESTORE
            GEOSEARCHSTORE TDIGEST.MERGE
        """,
        "keeps": "HGETEX XREADGROUP",
        "none": "EVAL_RO EVALSHA_RO FCALL_RO",
        "moves": "SWAPDB",
    }
)
"""Of single commands, where not as the family. Those of modules were tried on Redis Stack 7.4."""

_WITHOUT_EXPIRY = {"SET": "clears", "MSETEX": "clears", "INCREX": "keeps", "GETEX": "keeps"}

_CREATING_FAMILIES = {
    "set",
    "setnx",
    "string-edit",
    "counter",
    "collection-write",
    "collection-move",
    "rename",
    "copy",
}
_CREATE_NOTHING = words(
    """
    MOVE LPUSHX RPUSHX LINSERT LSET ARSEEK VSETATTR MIGRATE JSON.ARRAPPEND JSON.ARRINSERT JSON.STRAPPEND
    JSON.TOGGLE JSON.NUMINCRBY JSON.NUMMULTBY JSON.NUMPOWBY TS.ALTER TS.CREATERULE TS.DELETERULE TS.MADD
    CMS.INCRBY CMS.MERGE TOPK.ADD TOPK.INCRBY TDIGEST.ADD TDIGEST.RESET CF.COMPACT
    """
)
_CREATE_ALTHOUGH = {"XGROUP CREATE"}

READING_UNLESS_STORING = ("SORT", "GEORADIUS", "GEORADIUSBYMEMBER")
"""They write only when given a key to store into, which hardly anybody does."""

VALUE_TYPES = spread(
    {
        "string": "INCREX DELEX DIGEST STRALGO",
        "hash": "HIMPORT|SET",
        "list": "LMOVEM BLMOVEM",
        "set": "SUNIONCARD SDIFFCARD",
        "stream": "XDELEX XACKDEL XCFGSET XNACK",
        "array": """
            ARCOUNT ARDEL ARDELRANGE ARGET ARGETRANGE ARGREP ARINFO ARINSERT ARLASTITEMS ARLEN ARMGET ARMSET
            ARNEXT AROP ARRING ARSCAN ARSEEK ARSET
        """,
        "vectorset": """
            VADD VCARD VDIM VEMB VGETATTR VINFO VLINKS VRANDMEMBER VRANGE VREM VSETATTR VSIM VISMEMBER
        """,
    }
)
"""Of commands the generating server does not know; the group the server gives tells the others."""

MODULE_TYPES = {
    "JSON.": "json",
    "TS.": "timeseries",
    "BF.": "bloom",
    "CF.": "cuckoo",
    "CMS.": "count-min",
    "TOPK.": "topk",
    "TDIGEST.": "tdigest",
    "FT.SUG": "suggestions",
}


def lifetime(command: str, family: str) -> str:
    """What the command does to the lifetime of the key it writes (`Lifetime`)."""
    return _LIFETIMES.get(command, _LIFETIME_OF_FAMILY.get(family, "none"))


def without_expiry(command: str, family: str) -> str:
    """The same when no expiry is given; only `may-set` differs."""
    return _WITHOUT_EXPIRY.get(command, lifetime(command, family))


def creates(command: str, family: str) -> bool:
    """Whether the command can create a key."""
    if command in _CREATE_ALTHOUGH:
        return True
    return family in _CREATING_FAMILIES and command not in _CREATE_NOTHING
