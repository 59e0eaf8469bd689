"""Which processes meet, over which use case.

Law of this file: a scenario is as small as its subject allows; what it leaves out, another has.
"""

from redis_guard.registry.loader import Source, load_sources
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.telemetry import NoTelemetry

REGISTRY = """
version: 1
owners:
  shop: {{contact: "#shop", description: Sells things.}}
use_cases:
  lock:
    {{primitive: lock, owner: shop, description: One at a time., ttl: {ttl}, wait: 0s, {failure}, {lock}}}
  claim:
    {{primitive: claim, owner: shop, description: Only once for all., ttl: {ttl}, {failure}}}
  counter:
    {{primitive: counter, owner: shop, description: How often it happens., ttl: 1h, {failure}}}
"""


def bounds(
    lock: str = "fencing: true", ttl: str = "1s", failure: str = "failure: closed"
) -> dict[str, Bound]:
    """The use cases, ready for use."""
    text = REGISTRY.format(ttl=ttl, lock=lock, failure=failure)
    registry = load_sources([Source("registry.yaml", text.encode)])
    return {name: Bound.of(case, NoTelemetry()) for name, case in registry.use_cases.items()}
