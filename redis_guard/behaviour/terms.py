"""The words for what a group of calls amounts to."""

from collections.abc import Mapping
from typing import Literal

Behaviour = Literal[
    "lock-like", "claim-like", "counter-like", "signal-like", "cache-like", "durable-like", "queue-like",
    "script", "admin", "unknown",
]  # fmt: skip

MEANINGS: Mapping[Behaviour, str] = {
    "lock-like": "taken if absent (SET NX), given back by deleting; or a lock of the client library",
    "claim-like": "taken if absent, never given back",
    "counter-like": "counted up or down (INCR, DECR)",
    "signal-like": "published and subscribed to: messages that nobody keeps",
    "cache-like": "written with a lifetime, to be read until it ends",
    "durable-like": "written without a lifetime",
    "queue-like": "pushed and popped, a stream, or a list or sorted set that is called a queue",
    "script": "nothing but Lua or server functions",
    "admin": "the server or all of its keys, not one family of keys",
    "unknown": "what is seen says too little: a lone read, or a key that is a parameter of a wrapper around the client",
}
