"""A pipeline is filled and never executed.

What: commands are queued on a pipeline that is made in a function, and that function neither executes it nor gives it
to anybody who could.
Why it hurts: nothing is sent. The commands are forgotten when the pipeline is, without an error.
Instead: call `execute()` (with `await` on an asyncio client); leaving a `with` block does not do it.
Fix: none is offered yet.
"""

from collections.abc import Iterator

from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_ENDS = ("execute", "immediate_execute_command", "reset", "discard", "unwatch")
_HARMLESS = ("chained", "condition", "iterated")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for made in module.calls:
        if made.method != "pipeline" or made.kind == "pipeline" or not _stays_here(made):
            continue
        here = made.span.line * 1000 + made.span.column
        ours = [call for call in module.of_function(made.function) if call.pipeline == here]
        queued = [call for call in ours if not call.immediate and call.command]
        if queued and not any(call.method in _ENDS for call in ours):
            what = f"{len(queued)} commands are" if len(queued) > 1 else "a command is"
            message = f"{what} queued on this pipeline, and execute() is never called: nothing is sent"
            yield at(made, message, (queued[0], "queued here"))


def _stays_here(made: Call) -> bool:
    """Only this function can execute it: it is kept in a variable, and that is only called on."""
    result = made.result
    if result.use not in ("assigned", "entered") or result.later is None or not result.names:
        return False
    return all(
        use.use in _HARMLESS and use.callee not in (*_ENDS, "__exit__", "__aexit__") for use in result.later
    )


RULE = Rule(
    code="RG212",
    name="pipeline-not-executed",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='pipe = r.pipeline()\npipe.set("a", 1, ex=60)\npipe.set("b", 2, ex=60)',
            good='pipe = r.pipeline()\npipe.set("a", 1, ex=60)\npipe.set("b", 2, ex=60)\npipe.execute()',
            setup="import redis\n\nr = redis.Redis()\n",
        ),
    ),
)
