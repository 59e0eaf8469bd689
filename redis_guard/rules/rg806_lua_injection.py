"""Data is formatted into a Lua script.

What: the text that EVAL, SCRIPT LOAD, FUNCTION LOAD or `register_script` sends is put together from values of the
running program: a parameter, an attribute, what a loop is over.
Why it hurts: a quote in the value ends the string and the rest runs as Lua on the server, with all commands at hand.
Even harmless values make a new script each, and the server keeps every one of them until SCRIPT FLUSH.
Instead: write the script once, and pass keys as KEYS and values as ARGV.
Constants, numbers and settings that are put into a script are not reported; nor are tests.
Fix: none; the script must be rewritten to read KEYS and ARGV.
"""

from collections.abc import Iterator

from redis_guard.behaviour.wording import written
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.inserted:
            yield at(call, _message(call))


def _message(call: Call) -> str:
    first, *more = call.inserted
    what = f"{first} and {len(more)} more are" if more else f"{first} is"
    return (
        f"{what} formatted into the Lua text of {written(call)}: a quote in it runs as code on the server, and each "
        "value is a script of its own; pass it as KEYS or ARGV"
    )


RULE = Rule(
    code="RG806",
    name="lua-injection",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad="def count(name):\n    return r.eval(f\"return redis.call('INCR', '{name}')\", 0)",
            good="def count(name):\n    return r.eval(\"return redis.call('INCR', KEYS[1])\", 1, name)",
        ),
    ),
)
