"""A Lua script or a server function is run outside the modules that may.

What: EVAL, EVALSHA, FCALL or `register_script`; calling a registered script is not reported again.
Why it hurts: a script may touch any key in any way and blocks the server while it runs; no entry says so.
Instead: call the runtime primitive that does it, or keep the script in a module that the configuration
allows, behind a function that says what it is for.
Fix: none; what the script is for is known to its author.
"""

from collections.abc import Iterator
from dataclasses import replace

from redis_guard.behaviour.advice import advise
from redis_guard.behaviour.wording import on_subject, subject
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.facts is not None and call.facts.family == "script" and call.kind != "script":
            advice = advise("script", subject(call), registry)
            wrong = f"{_what(call)}{on_subject(call)} runs code on the server that no entry describes"
            yield replace(at(call, f"{wrong}; {advice.text}"), use_case=advice.entry)


def _what(call: Call) -> str:
    return call.command or f"{call.method}()"


RULE = Rule(
    code="RG103",
    name="raw-script",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.eval(HIT, 1, f"login:{account}")',
            good='coordination.counter("login_attempts", account).increment()',
            setup=(
                "import redis\nfrom app.coordination import coordination\n\nr = redis.Redis()\n"
                "HIT = \"return redis.call('INCR', KEYS[1])\"\naccount = 7\n"
            ),
        ),
    ),
)
