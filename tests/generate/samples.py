"""Sample arguments which make a method send something, where one made from its signature would not do.

Law of this file: what may hold a key is written `<parameter>` or `<parameter:n>`; nothing is sent anywhere.
"""

import inspect
from types import SimpleNamespace
from typing import Any

from tests.generate.command_facts import words

_OPTION = SimpleNamespace(value="OPTION")

SAMPLES: dict[str, dict[str, Any]] = {
    "ardelrange": {"ranges": ((0, 1),)},
    "argrep": {"predicates": [(_OPTION, "v")]},
    "arop": {"operation": _OPTION},
    "armset": {"mapping": {0: "v"}},
    "bitop": {"operation": "NOT", "keys": ("<keys:0>",)},
    "bitpos": {"bit": 1},
    "blmpop": {"timeout": 0, "numkeys": 2, "direction": "LEFT"},
    "bzmpop": {"timeout": 0, "numkeys": 1, "keys": ["<keys:0>"], "min": True},
    "client_kill_filter": {"addr": "a"},
    "client_no_evict": {"mode": "ON"},
    "client_unblock": {"client_id": 1},
    "cluster_setslot": {"state": "NODE"},
    "debug": {"subcommand": "MEMORY", "key": "<key>"},
    "client_pause": {"timeout": 1},
    "client_reply": {"reply": "ON"},
    "eval": {"numkeys": 1},
    "eval_ro": {"numkeys": 1},
    "evalsha": {"numkeys": 1},
    "evalsha_ro": {"numkeys": 1},
    "fcall": {"numkeys": 1},
    "fcall_ro": {"numkeys": 1},
    "geoadd": {"values": (1.0, 2.0, "m")},
    "georadius": {"store": "<store>"},
    "georadiusbymember": {"store": "<store>"},
    "geosearch": {"member": "m", "radius": 1},
    "geosearchstore": {"member": "m", "radius": 1},
    "hotkeys_start": {"metrics": [_OPTION]},
    "hset": {"key": "f", "value": "v"},
    "hsetex": {"key": "f", "value": "v"},
    "lmpop": {"num_keys": 2, "direction": "LEFT"},
    "linsert": {"where": "BEFORE"},
    "migrate": {"keys": ["<keys:0>"]},
    "mset_nonatomic": {"mapping": {"<mapping:0>": "v"}},
    "script_flush": {"sync_type": "SYNC"},
    "sort": {"store": "<store>"},
    "stralgo": {"algo": "LCS"},
    "tfunction_list": {"verbose": 1},
    "xadd": {"fields": {"f": "v"}},
    "xcfgset": {"idmp_duration": 1},
    "xclaim": {"min_idle_time": 1, "message_ids": ["1-0"]},
    "xautoclaim": {"min_idle_time": 1},
    "xnack": {"mode": "FAIL"},
    "xpending_range": {"min": "-", "max": "+", "count": 1},
    "xtrim": {"maxlen": 1},
    "zadd": {"mapping": {"m": 1}},
    "zmpop": {"num_keys": 1, "keys": ["<keys:0>"], "min": True},
    "sintercard": {"numkeys": 1},
    "zintercard": {"numkeys": 1},
    "sdiffcard": {"numkeys": 1},
    "sunioncard": {"numkeys": 1},
}
"""By method name; parameters that are not named here get what `sample` makes of them."""

_BY_PARAMETER: dict[str, Any] = {
    "filters": ["label=x"],
    "increments": [1],
    "ktv_tuples": [("<ktv_tuples:0>", 1, 1.0)],
    "numKeys": 1,
    "srcKeys": ["<srcKeys:0>"],
    "triplets": [("<triplets:0>", "$", 1)],
    "vector": [1.0, 2.0],
}
_LISTS = words("keys names args sources fields values ids indices items members message_ids")
_MAPPINGS = words("mapping streams")
_NUMBERS = words(
    """
    amount count db destination_db end idle index latitude longitude max min num numkeys num_keys offset
    radius start time time_ms timeout ttl when size
    """
)


def sample(parameter: inspect.Parameter) -> Any:
    """An argument for a parameter, made from its name and kind."""
    name = parameter.name
    if parameter.kind is parameter.VAR_POSITIONAL:
        return (f"<{name}:0>", f"<{name}:1>")
    if name in _BY_PARAMETER:
        return _BY_PARAMETER[name]
    if name in _NUMBERS:
        return 1
    if name in _MAPPINGS:
        return {f"<{name}:0>": "0"}
    if name in _LISTS:
        return [f"<{name}:0>"]
    return f"<{name}>"
