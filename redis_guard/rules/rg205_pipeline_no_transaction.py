"""Writes that belong together are queued on a pipeline without MULTI.

What: a pipeline with `transaction=False`, or of a cluster client, carries a write and the EXPIRE of its key,
or a DEL and the write that replaces the key.
Why it hurts: such a pipeline saves round trips and nothing else. If the connection breaks half-way, the key
stays without a lifetime; other clients see the key gone before it is written anew.
Instead: open the pipeline with `transaction=True`; on a cluster the keys of one MULTI must share a slot.
Fix: `transaction=True` in place of `transaction=False`, where the pipeline is opened in the same function (safe).
"""

from collections.abc import Iterator

from redis_guard.behaviour.pairs import Pair, unsafe_pipelines
from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.transactional import Transactional
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    opened: set[str] = set()
    for pair in unsafe_pipelines(module):
        if pair.first.client not in opened:
            opened.add(pair.first.client)
            others = ((call, f"the {command_of(call)}") for call in (pair.first, *pair.seconds))
            opening = _opening(module, pair.first)
            yield at(opening, _message(pair, registry), *others, repair=Transactional(opening))


def _opening(module: ModuleUses, queued: Call) -> Call:
    """The call of `pipeline()` where it stands in the same function, else the first write."""
    return next(
        (
            call
            for call in module.of_function(queued.function)
            if call.method == "pipeline" and call.span.line * 1000 + call.span.column == queued.pipeline
        ),
        queued,
    )


def _message(pair: Pair, registry: Registry) -> str:
    key = named(pair.key, registry)
    if pair.first.facts is not None and pair.first.facts.family == "delete":
        hurts = f"{key} is missing between the DEL and the write, and for good if the pipeline breaks"
    else:
        hurts = f"{key} stays for ever if the pipeline breaks before the EXPIRE"
    what = (
        "a cluster's pipeline is one MULTI only if told so"
        if pair.first.cluster
        else "this pipeline is not one MULTI"
    )
    return f"{what}, so {hurts}. Open it with `transaction=True`"


_BAD = """
pipe = r.pipeline(transaction=False)
pipe.zadd("queries", {"a": 1})
pipe.expire("queries", 3600)
pipe.execute()
"""

RULE = Rule(
    code="RG205",
    name="pipeline-no-transaction",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="safe",
    examples=(Example(bad=_BAD.strip(), good=_BAD.replace("=False", "=True").strip()),),
)
