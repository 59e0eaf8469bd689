"""Application code administers the server.

What: CONFIG SET, DEBUG, SHUTDOWN, SWAPDB, REPLICAOF, CLIENT KILL, SCRIPT FLUSH, ACL SETUSER, MODULE LOAD and the like
are sent outside tests.
Why it hurts: it changes or ends the server for everybody who shares it, at a moment that nobody chose, and the next
restart or failover undoes half of it. It also means that the application's user is allowed to.
Instead: leave it to whoever runs the server, and take the right away from the application's ACL user.
Fix: none; it belongs elsewhere.
"""

from collections.abc import Iterator

from redis_guard.behaviour.telling import command_of
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_WHOLE = frozenset(
    (
        *(
            "SHUTDOWN",
            "SWAPDB",
            "SLAVEOF",
            "REPLICAOF",
            "FAILOVER",
            "MIGRATE",
            "SAVE",
            "BGREWRITEAOF",
            "MONITOR",
        ),
        *(
            "CONFIG SET",
            "CONFIG REWRITE",
            "CONFIG RESETSTAT",
            "SCRIPT FLUSH",
            "SCRIPT KILL",
            "FUNCTION FLUSH",
        ),
        *(
            "FUNCTION KILL",
            "FUNCTION DELETE",
            "CLIENT KILL",
            "CLIENT PAUSE",
            "CLIENT NO-EVICT",
            "ACL SETUSER",
        ),
        *(
            "ACL DELUSER",
            "ACL LOAD",
            "ACL SAVE",
            "MODULE LOAD",
            "MODULE LOADEX",
            "MODULE UNLOAD",
            "LATENCY RESET",
        ),
        *(
            "SLOWLOG RESET",
            "CLUSTER RESET",
            "CLUSTER FORGET",
            "CLUSTER MEET",
            "CLUSTER FAILOVER",
            "CLUSTER REPLICATE",
        ),
        *("CLUSTER ADDSLOTS", "CLUSTER DELSLOTS", "CLUSTER SETSLOT", "CLUSTER FLUSHSLOTS"),
    )
)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if module.test:
        return
    for call in module.calls:
        command = command_of(call).upper()
        if command in _WHOLE or command.partition(" ")[0] == "DEBUG":
            yield at(
                call,
                f"{command} concerns the whole server and everybody on it; leave it to whoever runs the server, and "
                "take the right to it away from the application's user",
            )


RULE = Rule(
    code="RG703",
    name="dangerous-command",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.config_set("maxmemory-policy", "noeviction")',
            good='policy = r.config_get("maxmemory-policy")',
        ),
    ),
)
