"""What rules judge: the calls on Redis objects, with their keys, lifetimes, places and results.

Law of this package: plain values, no inference and no syntax tree. Everything a rule may ask stands here; what is not
known says so (`None`, `constants is None`, `opaque`), and a rule must not read ignorance as guilt.
"""

from redis_guard.facts.model import GivenUrl
from redis_guard.project.model.calls import (
    CacheCall,
    Call,
    Construction,
)
from redis_guard.project.model.locks import (
    Catch,
    Held,
    LockUse,
    Making,
    Work,
)
from redis_guard.project.model.places import (
    Arm,
    Function,
    Place,
)
from redis_guard.project.model.results import (
    LaterUse,
    Result,
    ResultUse,
)
from redis_guard.project.model.runtime import (
    RuntimeCall,
    RuntimeStep,
    SaidName,
)
from redis_guard.project.model.server import (
    DEFAULT_SERVER,
    ServerVersion,
)
from redis_guard.project.model.uses import (
    ModuleUses,
    ProjectUses,
)
from redis_guard.project.model.values import (
    Argument,
    Constant,
    Kind,
    Lifetime,
    Measure,
    TimeUnit,
    Unit,
)

__all__ = [
    "DEFAULT_SERVER",
    "Argument",
    "Arm",
    "CacheCall",
    "Call",
    "Catch",
    "Constant",
    "Construction",
    "Function",
    "GivenUrl",
    "Held",
    "Kind",
    "LaterUse",
    "Lifetime",
    "LockUse",
    "Making",
    "Measure",
    "ModuleUses",
    "Place",
    "ProjectUses",
    "Result",
    "ResultUse",
    "RuntimeCall",
    "RuntimeStep",
    "SaidName",
    "ServerVersion",
    "TimeUnit",
    "Unit",
    "Work",
]
