"""KEYS walks over all keys of the server.

What: `keys()`, or KEYS through `execute_command`.
Why it hurts: the server answers nobody else until it has looked at every key, whatever the pattern.
Instead: loop over `scan_iter(match=…)`, or keep the names in a set of their own.
Fix: `scan_iter(match=…)` in place of what a loop goes over (safe); DBSIZE where all keys are counted, and a list made
of the scan elsewhere (unsafe, as a scan may give a key twice).
"""

from collections.abc import Iterator

from redis_guard.behaviour.wording import written
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.scan import Scan
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.facts is not None and (call.facts.family == "keys" or call.command == "KEYS"):
            made = tuple(
                each for each in module.of_function(call.function) if each.facts and each.facts.creates
            )
            yield at(call, _message(call), repair=Scan(call, made))


def _message(call: Call) -> str:
    pattern = call.argument("pattern")
    of = f" for {pattern.key.template}" if pattern is not None and pattern.key.literal.strip("*") else ""
    loop = "async for" if call.asynchronous else "loop over"
    return (
        f"{written(call)} looks at every key of the server{of} and lets nobody else in meanwhile; "
        f"{loop} scan_iter(match=…) instead"
    )


RULE = Rule(
    code="RG701",
    name="keys-command",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(Example(bad='names = r.keys("cart:*")', good='names = list(r.scan_iter(match="cart:*"))'),),
)
