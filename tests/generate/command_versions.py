"""Since when a command exists or is deprecated, for what the generating server cannot tell.

Law of this file: each table names its source.
"""

from tests.generate.command_facts import spread

REDIS_SINCE = spread(
    {
        "1.0.0": "DEBUG|OBJECT",
        "5.0.3": "LOLWUT|VERSION",
        "6.0.0": "STRALGO",
        "7.4.0": "HEXPIRE HPEXPIRE HEXPIREAT HPEXPIREAT HPERSIST HTTL HPTTL HEXPIRETIME HPEXPIRETIME",
        "8.0.0": """
            HSETEX HGETEX HGETDEL VADD VCARD VDIM VEMB VGETATTR VINFO VLINKS VRANDMEMBER VREM VSETATTR VSIM
        """,
        "8.2.0": "XDELEX XACKDEL VISMEMBER",
        "8.4.0": "DELEX DIGEST MSETEX VRANGE",
        "8.6.0": "XCFGSET HOTKEYS|START HOTKEYS|STOP HOTKEYS|GET HOTKEYS|RESET",
        "8.8.0": """
            INCREX XNACK ARCOUNT ARDEL ARDELRANGE ARGET ARGETRANGE ARGREP ARINFO ARINSERT ARLASTITEMS ARLEN
            ARMGET ARMSET ARNEXT AROP ARRING ARSCAN ARSEEK ARSET
        """,
        "8.10.0": """
            LMOVEM BLMOVEM SUNIONCARD SDIFFCARD HIMPORT|SET HIMPORT|PREPARE HIMPORT|DISCARD
            HIMPORT|DISCARDALL
        """,
    }
)
"""Of commands the generating server does not know, or got in a version of its own.

Source: Redis 7.4's COMMAND DOCS, and the versions below which redis-py skips its own tests
(8.3.224 is a build on the way to 8.4).
"""

VALKEY_SINCE = {"DEBUG OBJECT": "1.0.0", "LOLWUT VERSION": "5.0.3", "INCREX": "9.2.0"}
"""Of commands the generating server does not know. Source: Valkey's release notes."""

DEPRECATED_SINCE = spread(
    {
        "2.0.0": "SUBSTR",
        "2.6.12": "SETEX PSETEX SETNX",
        "4.0.0": "HMSET",
        "5.0.0": "SLAVEOF CLUSTER|SLAVES",
        "6.2.0": """
            GETSET RPOPLPUSH BRPOPLPUSH GEORADIUS GEORADIUSBYMEMBER GEORADIUS_RO GEORADIUSBYMEMBER_RO
            ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX
        """,
        "7.0.0": "CLUSTER|SLOTS STRALGO",
        "7.2.0": "QUIT",
    }
)
"""By Redis; Valkey took most of these marks back. Source: Redis 7.4's COMMAND DOCS."""
