"""The words in which methods and commands are described, each a closed set.

Law of this file: a word means one thing, said here.
"""

from typing import Literal

Kind = Literal[
    "client",
    "async-client",
    "cluster",
    "async-cluster",
    "pipeline",
    "async-pipeline",
    "cluster-pipeline",
    "async-cluster-pipeline",
    "pubsub",
    "async-pubsub",
    "lock",
    "async-lock",
    "script",
    "async-script",
    "sentinel",
    "async-sentinel",
    "monitor",
    "async-monitor",
    "bitfield",
    "async-bitfield",
    "json",
    "async-json",
    "ft",
    "async-ft",
    "ts",
    "async-ts",
    "bf",
    "async-bf",
    "cf",
    "async-cf",
    "cms",
    "async-cms",
    "topk",
    "async-topk",
    "tdigest",
    "async-tdigest",
    "vset",
    "async-vset",
]
"""The kind of object a method is called on; `bitfield` is what `client.bitfield(key)` hands back.

What an asyncio pipeline hands out (`pipe.json()`) is of the plain kind: its calls are queued, not awaited.
"""

Returned = Kind | Literal["value", "self", "iterator", "refused"]
"""What a call hands back, once awaited where it must be.

value: the server's answer, or another plain value
self: the receiver (queued calls of a pipeline, context managers); from class methods, an object of its kind
iterator: something to loop over
refused: nothing, this kind of object refuses the call with an exception
a kind: an object of that kind
"""

AsyncReturn = Literal["plain", "awaitable", "async-iterator"]
"""What the bare call hands back on asyncio's kinds, before any `await`."""

ParameterKind = Literal["positional", "var_positional", "keyword_only", "var_keyword"]
"""How an argument gets there; `positional` may be given by keyword as well."""

KeyShape = Literal["one", "many", "list", "mapping", "tuples", "counted"]
"""How keys lie in a parameter.

one: it is a key
many: each of `*args` is a key
list: one key, or a sequence of keys (ZUNION and its like also take a mapping by key)
mapping: the keys of a mapping
tuples: the first item of each tuple in a sequence
counted: the first of `*args`, as many as the parameter `numkeys` says
"""

Access = Literal["none", "read", "write", "both"]
"""What happens to stored values; `both` changes them and reads them, to answer or to store elsewhere."""

ValueType = Literal[
    "none",
    "string",
    "hash",
    "list",
    "set",
    "zset",
    "stream",
    "hyperloglog",
    "bitmap",
    "geo",
    "json",
    "timeseries",
    "bloom",
    "cuckoo",
    "count-min",
    "topk",
    "tdigest",
    "vectorset",
    "array",
    "suggestions",
]
"""What a command takes the key for; see `stored_as` for what the server keeps."""

Lifetime = Literal["none", "keeps", "clears", "sets", "may-set", "removes", "moves", "ends", "unknown"]
"""What a successful call does to the lifetime of the key it writes.

none: it writes no key
keeps: the lifetime stays as it was (a key made by the call has none)
clears: the key has none afterwards
sets: the key has a new one afterwards
may-set: as `sets` if an expiry is given, else see `without_expiry`
removes: the lifetime alone is taken away
moves: it goes with the value to another name, database or server
ends: the key itself goes
unknown: nobody can tell (scripts, raw commands)
"""

ExpiryUnit = Literal["s", "ms", "s-at", "ms-at"]
"""A span in seconds or milliseconds, or an instant in Unix seconds or milliseconds."""

Family = Literal[
    "set",
    "setnx",
    "string-edit",
    "counter",
    "collection-write",
    "collection-move",
    "collection-remove",
    "pop",
    "get-delete",
    "delete",
    "rename",
    "copy",
    "expire",
    "persist",
    "ttl",
    "field-expire",
    "field-ttl",
    "exists",
    "read",
    "scan",
    "keys",
    "flush",
    "stream-group",
    "index",
    "script",
    "script-admin",
    "publish",
    "subscribe",
    "pubsub",
    "transaction",
    "pipeline",
    "lock",
    "lock-acquire",
    "lock-release",
    "lock-extend",
    "client",
    "module",
    "raw",
    "admin",
    "connection",
    "local",
]
"""What a call is for. The ones that do not explain themselves:

string-edit: changes a part of a string (APPEND, SETBIT)
collection-write: adds to a hash, list, set, sorted set, stream, JSON document and so on, or replaces it
copy: COPY, MOVE, RESTORE, MIGRATE
stream-group: a consumer group's bookkeeping
index: search indexes, aliases and dictionaries
subscribe: subscribes or unsubscribes; `pubsub` builds or reads a subscription
client: builds or closes a client; `module` hands out the client of a module
raw: `execute_command`
local: sends nothing
"""
