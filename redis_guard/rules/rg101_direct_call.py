"""A Redis command is called outside the modules that may.

What: the command of a client, pipeline, subscription, lock or module client, wherever the object came from.
Why it hurts: nobody is named as owner of the key, and what happens without Redis is decided by accident.
Instead: call the runtime primitive of a registered use case, the application's cache interface, or the module
that owns the keyspace; the configuration allows that one for RG101.
Fix: none here; `redis-guard migrate` rewrites the call sites of one use case.
"""

from collections.abc import Iterator
from dataclasses import replace

from redis_guard.behaviour.advice import advise
from redis_guard.behaviour.classify import classify
from redis_guard.behaviour.network import is_command
from redis_guard.behaviour.telling import command_of
from redis_guard.behaviour.wording import on_subject, subject, written
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    behaviours = classify(project)
    for module in project.modules:
        for call in module.calls:
            if is_command(call) or _makes_lock(call):
                advice = advise(behaviours.of(call), subject(call), registry)
                wrong = "goes round the registry" if advice.entry else "has no owner and no failure policy"
                message = f"direct {_what(call)}{on_subject(call)} {wrong}; {advice.text}"
                yield replace(at(call, message), use_case=advice.entry)
        for built in module.constructions:
            if built.kind == "lock":
                name = built.argument("name")
                key = name.key if name is not None and name.key.pieces else None
                advice = advise("lock-like", key, registry)
                wrong = "goes round the registry" if advice.entry else "has no owner and no failure policy"
                on = f" on {key.template}" if key else ""
                yield replace(at(built, f"direct lock{on} {wrong}; {advice.text}"), use_case=advice.entry)


def _makes_lock(call: Call) -> bool:
    return call.facts is not None and call.facts.family == "lock"


def _what(call: Call) -> str:
    if _makes_lock(call):
        return "lock"
    # what a lock or a script sends is not what anybody has written
    return written(call) if call.kind in ("lock", "script") or call.command is None else command_of(call)


RULE = Rule(
    code="RG101",
    name="direct-call",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.incr(f"login:{account}")',
            good='coordination.counter("login_attempts", account).increment()',
            setup="import redis\nfrom app.coordination import coordination\n\nr = redis.Redis()\n",
        ),
    ),
)
