"""A pipeline is filled and never executed.

What: commands are queued on a pipeline that is made in a function, and that function neither executes it nor gives it
to anybody who does.
Why it hurts: nothing is sent. The commands are forgotten when the pipeline is, without an error.
Instead: call `execute()` (with `await` on an asyncio client); leaving a `with` block does not do it.
Fix: `execute()` behind the last command that is queued (unsafe: it may have been left out on purpose).
"""

from collections.abc import Iterator

from redis_guard.project.flow import cleans_up
from redis_guard.project.model import Call, LaterUse, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.executed import Executed
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_SENDS = ("execute", "immediate_execute_command")
_DROPS = ("reset", "discard", "unwatch")
_LIBRARIES = ("redis", "valkey", "aioredis", "fakeredis")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for made in module.calls:
        if made.method != "pipeline" or made.kind == "pipeline" or not _is_plain(made):
            continue
        here = made.span.line * 1000 + made.span.column
        ours = [call for call in module.of_function(made.function) if call.pipeline == here]
        queued = [call for call in ours if not call.immediate and call.command]
        filled = made.filled_by or ()
        if any(_ends(call) for call in ours) or not all(map(_is_plain, queued)):
            continue
        if (queued or filled) and (
            _is_forgotten(ours) if made.result.use == "chained" else _stays_here(made, ours)
        ):
            number = len(queued) + len(filled)
            what = f"{number} commands are" if number > 1 else "a command is"
            message = f"{what} queued on this pipeline, and execute() is never called: nothing is sent"
            repair = Executed(made, tuple(queued)) if queued and not filled else None
            yield at(made, message, ((*queued, *filled)[0], "queued here"), repair=repair)


def _is_plain(call: Call) -> bool:
    """Of a library: a class of one's own may send what is queued when its block is left."""
    return call.type.partition(".")[0] in _LIBRARIES


def _ends(call: Call) -> bool:
    """It sends the pipeline, or drops it on purpose: to clean up behind an error or at the end drops nothing else."""
    return call.method in _SENDS or (call.method in _DROPS and not cleans_up(call.place))


def _stays_here(made: Call, ours: list[Call]) -> bool:
    """Only this function can execute it: it is kept in a variable, and that is only called on."""
    result = made.result
    if result.use not in ("assigned", "entered") or result.later is None or not result.names:
        return False
    return all(_is_harmless(use, made, ours) for use in result.later)


def _is_harmless(use: LaterUse, made: Call, ours: list[Call]) -> bool:
    if use.use == "chained":
        return any(call.method == use.callee for call in ours)
    if use.use == "argument":
        return bool(made.filled_by)
    # `pipe.execute`, and the parentheses are missing
    return use.use in ("condition", "compared", "iterated", "discarded")


def _is_forgotten(ours: list[Call]) -> bool:
    """`r.pipeline().set("a", 1).set("b", 2)` as a statement."""
    return sum(call.result.use == "discarded" for call in ours) == 1 and all(
        call.result.use in ("chained", "discarded") for call in ours
    )


RULE = Rule(
    code="RG212",
    name="pipeline-not-executed",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='pipe = r.pipeline()\npipe.set("a", 1, ex=60)\npipe.set("b", 2, ex=60)',
            good='pipe = r.pipeline()\npipe.set("a", 1, ex=60)\npipe.set("b", 2, ex=60)\npipe.execute()',
            setup="import redis\n\nr = redis.Redis()\n",
        ),
    ),
)
