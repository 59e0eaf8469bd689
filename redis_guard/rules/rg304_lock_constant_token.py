"""The value of a hand-made lock is a constant.

What: SET NX with a lifetime, SETNX, or the `add` of Django's cache takes a lock whose value is the same for
every holder, and the same function, class or module deletes the key to give it back.
Why it hurts: nobody can tell whose lock it is. A holder whose time ran out deletes the lock of the next one.
Instead: store a random token and delete only while it is there, in one script; or use `lock()`, or a lock
use case.
Fix: unsafe. A lock that one function, or one context manager, takes and gives back gets a random token, and a script
that compares it; else none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.handmade import gives_back, one_lock
from redis_guard.behaviour.holding import gives_up, has_lifetime, replaces, takes_if_absent
from redis_guard.fixes.repair import Repair
from redis_guard.project.model import Argument, CacheCall, Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.own_token import own_token
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if _takes_lock(call) and (value := _constant(call.argument("value"))):
            others = [other for other in module.calls if other is not call and one_lock(call, other)]
            released = next((other for other in others if gives_up(other) and gives_back(call, other)), None)
            if released is not None and not any(_is_value(other) for other in others):
                yield _report(call, released, value, own_token(call, module))
    for entry in module.cache_calls:
        if entry.method == "add" and (value := _constant(entry.argument("value"))):
            for other in module.cache_calls:
                if other.method == "delete" and one_lock(entry, other) and gives_back(entry, other):
                    yield _report(entry, other, value)
                    break


def _takes_lock(call: Call) -> bool:
    if not takes_if_absent(call) or call.facts is None:
        return False
    return call.facts.family == "setnx" or has_lifetime(call)


def _constant(value: Argument | None) -> str | None:
    """The value as written, where it can only be a constant."""
    return value.text if value is not None and value.constants else None


def _is_value(other: Call) -> bool:
    """The key is counted or overwritten: a first value, not a lock."""
    return replaces(other) or (other.facts is not None and other.facts.family in ("counter", "string-edit"))


def _report(
    taken: Call | CacheCall, released: Call | CacheCall, value: str, repair: Repair | None = None
) -> Report:
    key = taken.key.template if taken.key is not None else "the lock"
    message = (
        f"every holder of {key} stores {value}, so a late holder deletes the lock of the next one; "
        "store a random token and compare it when deleting, or register a lock use case"
    )
    return at(taken, message, (released, "deleted here, whoever holds it"), repair=repair)


RULE = Rule(
    code="RG304",
    name="lock-constant-token",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='if r.set("lock:report", "1", nx=True, ex=30):\n    r.delete("lock:report")',
            good=(
                "token = uuid.uuid4().hex\n"
                'if r.set("lock:report", token, nx=True, ex=30):\n'
                '    _RELEASE(keys=["lock:report"], args=[token])'
            ),
            setup=(
                "import uuid\n\nimport redis\n\nr = redis.Redis()\n"
                "_RELEASE = r.register_script(\n"
                "    \"if redis.call('GET', KEYS[1]) == ARGV[1] then \"\n"
                "    \"return redis.call('DEL', KEYS[1]) else return 0 end\"\n)\n"
            ),
        ),
    ),
)
