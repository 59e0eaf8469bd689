"""What can come of an operation, as metrics count it.

Law of this file: the lists are closed, and a label takes its value from here or from the registry, nowhere else.
"""

from typing import Literal

LockOutcome = Literal[
    "acquired",
    "reentered",
    "contended",
    "stuck",
    "renewed",
    "released",
    "lost",
    "degraded",
    "unavailable",
    "error",
]
ClaimOutcome = Literal["accepted", "duplicate", "degraded", "unavailable", "error"]
CounterOutcome = Literal["counted", "exceeded", "healed", "read", "reset", "degraded", "unavailable", "error"]
SignalOutcome = Literal["sent", "woken", "resubscribed", "dropped", "unavailable", "error"]
Outcome = LockOutcome | ClaimOutcome | CounterOutcome | SignalOutcome
