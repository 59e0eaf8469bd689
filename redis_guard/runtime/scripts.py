"""The Lua scripts, each in a file of its own under `lua/`, whose head gives keys, arguments and reply.

Law of this file: a script is called by its hash and sent whole when a server does not know it.
"""

from hashlib import sha1
from importlib.resources import files

from redis_guard.runtime.steps import Script


def _load(name: str) -> Script:
    source = files("redis_guard.runtime").joinpath("lua", f"{name}.lua").read_bytes()
    # A name that the server chose, not a safeguard.
    return Script(name, source, sha1(source, usedforsecurity=False).hexdigest().encode())


ACQUIRE = _load("acquire")
RELEASE = _load("release")
RENEW = _load("renew")
ADOPT = _load("adopt")
CLAIM = _load("claim")
COUNT = _load("count")
READ_COUNT = _load("read_count")
RESET_COUNT = _load("reset_count")
ALL = (ACQUIRE, RELEASE, RENEW, ADOPT, CLAIM, COUNT, READ_COUNT, RESET_COUNT)

LATE = -2
"""The status by which a script says that it came too late and has done nothing."""
