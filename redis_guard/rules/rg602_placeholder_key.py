"""A key has a name that somebody put there for the time being.

What: the whole key is `key1`, `test`, `tmp`, `foo` or the like, outside tests, examples and
scripts.
Why it hurts: the next one to try something takes the same name, and nobody dares to delete it.
Instead: say what it holds and whose it is: `export:{batch}:state`.
Fix: none; a name is a decision.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.key_design import is_for_operations, is_sample
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_STOPGAP = "foo|foobar|ba[rz]|qux|asdf|xxx|abc|tests?|testing|tmp|temp|dummy|blah|placeholder|todo"
_TYPE = "key|value|hash|list|set|zset|stream|string|lock|queue|counter|channel|data|cache"
_PLACEHOLDER = re.compile(
    rf"(?:(?:my|some|the|a)[_:.-]?)?(?:key|{_STOPGAP})(?:[_:.-]?(?:{_STOPGAP}|{_TYPE}))*[_:.-]?\d*"
    rf"|(?:my|some)[_:.-]?(?:{_TYPE})[_:.-]?\d*",
    re.IGNORECASE,
)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if is_sample(module.path) or is_for_operations(module.path):
        return
    seen: set[str] = set()
    for call in module.calls:
        for key in call.keys:
            name = key.constant
            if (
                name
                and name not in seen
                and _PLACEHOLDER.fullmatch(name)
                and not registry.entry_for_key(name)
            ):
                seen.add(name)
                yield at(
                    call,
                    f'"{name}" says nothing: the next one to try something takes it too; say what it holds',
                )


RULE = Rule(
    code="RG602",
    name="placeholder-key",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.set("key1", "done", ex=60)',
            good='r.set("export:7:state", "done", ex=60)',
        ),
    ),
)
