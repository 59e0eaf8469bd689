"""Application code administers the server.

What: CONFIG SET, DEBUG, SHUTDOWN, SWAPDB, REPLICAOF, CLIENT KILL, SCRIPT FLUSH, ACL SETUSER, MODULE LOAD and the like
are sent by the application. Tests, samples and what an operator runs (scripts, tools, management commands, migrations)
are left alone.
Why it hurts: it changes or ends the server for everybody who shares it, at a moment that nobody chose, and the next
restart or failover undoes half of it. It also means that the application's user is allowed to.
Instead: leave it to whoever runs the server, and take the right away from the application's ACL user.
Fix: none; it belongs elsewhere.
"""

from collections.abc import Iterator

from redis_guard.behaviour.key_design import is_for_operations, is_sample
from redis_guard.behaviour.telling import command_of
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_ALONE = "SHUTDOWN SWAPDB SLAVEOF REPLICAOF FAILOVER MIGRATE SAVE BGREWRITEAOF MONITOR DEBUG"
_WITH_SUBCOMMANDS = {
    "ACL": "SETUSER DELUSER LOAD SAVE",
    "CLIENT": "KILL PAUSE",
    "CLUSTER": "RESET FORGET MEET FAILOVER REPLICATE ADDSLOTS DELSLOTS SETSLOT FLUSHSLOTS",
    "CONFIG": "SET REWRITE RESETSTAT",
    "FUNCTION": "FLUSH KILL DELETE",
    "LATENCY": "RESET",
    "MODULE": "LOAD LOADEX UNLOAD",
    "SCRIPT": "FLUSH KILL",
    "SENTINEL": "FAILOVER MONITOR REMOVE RESET SET",
    "SLOWLOG": "RESET",
}
_DANGEROUS = frozenset(_ALONE.split()) | {
    f"{name} {word}" for name, words in _WITH_SUBCOMMANDS.items() for word in words.split()
}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if is_sample(module.path) or is_for_operations(module.path):
        return
    for call in module.calls:
        command = command_of(call).upper()
        if command in _DANGEROUS or command.startswith("DEBUG "):
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
