"""The door for threads.

Law of this file: names are checked against the registry before anything is sent; there is no generic command.
"""

from collections.abc import Callable
from math import isfinite
from os import PathLike
from types import TracebackType
from typing import Any, Self

from redis_guard.registry import Registry
from redis_guard.registry.keys import Identifier
from redis_guard.registry.model import DEFAULT_INSTANCE
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.claim import Claim, claim
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.registered import Registered
from redis_guard.runtime.core.token import claimant
from redis_guard.runtime.origin import origin_of, origin_of_url
from redis_guard.runtime.scripts import ALL
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.lease import Lease
from redis_guard.runtime.sync.nodes import nodes_of
from redis_guard.runtime.sync.primitives import Counter, Lock, Signal
