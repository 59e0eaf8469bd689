"""A pipeline that counts and starts the window, and does nothing else: one call of the runtime.

Law of this file: a pipeline that sends anything besides is left.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from redis_guard.behaviour.writes import is_expire
from redis_guard.migrate.bindings import Function, bindings, reads, seen_within
from redis_guard.migrate.counters import step_of, valued
from redis_guard.migrate.dedenting import dedented
from redis_guard.migrate.lifetimes import note_lifetime
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site
from redis_guard.project.model import Call
from redis_guard.repairs.written import Written, find

_COUNTS = frozenset({"INCR", "INCRBY"})
_CONDITIONS = frozenset({"nx", "xx", "gt", "lt"})


@dataclass(frozen=True, slots=True)
class _Pipeline:
    """What one pipeline does."""

    count: Site
    others: tuple[Site, ...]
    execute: Written
    queued: tuple[ast.Call, ...]
    position: int
    """Of the count among the answers."""
    length: int


def rewrite_pipelines(page: Page) -> None:
    """Every pipeline of the file on which a count is queued."""
    groups: dict[str, list[Site]] = {}
    for site in page.open():
        if not site.call.immediate:
            groups.setdefault(site.call.client, []).append(site)
    for client, sites in groups.items():
        try:
            _rewrite(page, _pipeline(page, client, sites))
            page.settle(*sites)
        except Refused as refused:
            for site in sites:
                page.refuse(site, str(refused))


def _pipeline(page: Page, client: str, sites: Sequence[Site]) -> _Pipeline:
    first = sites[0].call
    calls = [call for call in page.file.module.of_function(first.function) if call.client == client]
    counts = [site for site in sites if site.call.command in _COUNTS]
    others = [site for site in sites if site not in counts]
    queued = [call for call in calls if call.kind == "pipeline" and not call.immediate]
    executes = [call for call in calls if call.kind == "pipeline" and call.method == "execute"]
    more = [call for call in calls if call.kind == "pipeline" and call not in queued and call not in executes]
    if len(counts) != 1 or not all(is_expire(site.call) for site in others):
        raise Refused("the pipeline does more with the key than to count and to start the window")
    if len(queued) != len(sites) or more or first.pipeline is None or first.filled_by:
        raise Refused("the pipeline sends other commands too; count by itself")
    if len(executes) != 1:
        raise Refused("where the pipeline is executed cannot be told")
    found = [find(page.program, call) for call in (*queued, executes[0])]
    if not all(found):
        raise Refused("the pipeline is not written as calls")
    nodes = tuple(one.node for one in found[:-1] if one is not None)
    execute = found[-1]
    assert execute is not None
    position = _position(queued, counts[0].call)
    return _Pipeline(counts[0], tuple(others), execute, nodes, position, len(queued))


def _position(queued: Sequence[Call], count: Call) -> int:
    ordered = sorted(queued, key=lambda call: call.place.order)
    return next(number for number, call in enumerate(ordered) if call is count)


def _rewrite(page: Page, pipeline: _Pipeline) -> None:
    program, execute = page.program, pipeline.execute
    statement = program.statement(execute.node)
    written = page.written(pipeline.count)
    step = step_of(pipeline.count, written.text("amount"))
    asked = page.asking(pipeline.count, written, at=None if written.statement is statement else statement)
    counted = f"{'await ' * pipeline.execute.call.asynchronous}{asked}.increment({step})"
    for expiry in pipeline.others:
        if not any(name in _CONDITIONS for name, _ in expiry.call.arguments):
            page.note(
                expiry.call.span,
                "each count prolonged the window; the runtime's begins with the first count and then ends",
            )
        note_lifetime(page, expiry)
    _answers(page, pipeline, counted)
    if _chained(program.source(execute.node.func), pipeline):
        return
    _unqueue(page, pipeline, statement)


def _chained(func: str, pipeline: _Pipeline) -> bool:
    """`client.pipeline().incr(key).expire(key, 60).execute()`: all of it is one expression."""
    return (
        all(call in list(ast.walk(pipeline.execute.node)) for call in pipeline.queued) and "pipeline(" in func
    )


def _answers(page: Page, pipeline: _Pipeline, counted: str) -> None:
    """What is done with the answers."""
    program, draft, whole = page.program, page.draft, pipeline.execute.whole
    above = program.parent(whole)
    match above:
        case ast.Expr():
            draft.rewrite(whole, counted)
        case ast.Subscript(slice=ast.Constant(value=int() as index)):
            if index % pipeline.length != pipeline.position:
                raise Refused("the answer of EXPIRE is used")
            draft.rewrite(above, valued(counted))
        case ast.Assign(targets=[ast.Tuple(elts=names) | ast.List(elts=names) as target]):
            name = names[pipeline.position] if pipeline.position < len(names) else None
            rest = [one for one in names if one is not name]
            if not isinstance(name, ast.Name) or not all(_unused(page, one) for one in rest):
                raise Refused("the answer of EXPIRE is used")
            start, end = program.start(target), program.end(target)
            draft.replace(start, end, name.id)
            draft.rewrite(whole, valued(counted))
        case ast.Assign(targets=[ast.Name(id=name)]):
            _indexed(page, pipeline, above, name)
            draft.rewrite(whole, valued(counted))
        case _:
            raise Refused("the answers of the pipeline are handed on together")


def _unused(page: Page, target: ast.expr) -> bool:
    if isinstance(target, ast.Starred):
        target = target.value
    return isinstance(target, ast.Name) and not reads(page.scope(target), target.id)


def _indexed(page: Page, pipeline: _Pipeline, made: ast.Assign, name: str) -> None:
    """`answers = pipe.execute()`, of which `answers[0]` alone is read."""
    program, scope = page.program, page.scope(made)
    if not isinstance(scope, Function) or len(bindings(scope, name)) != 1 or seen_within(scope, name):
        raise Refused(f"{name} is seen by others than this function, or is given other values too")
    found = []
    for read in reads(scope, name):
        above = program.parent(read)
        index = above.slice if isinstance(above, ast.Subscript) else None
        if not isinstance(index, ast.Constant) or not isinstance(index.value, int):
            raise Refused(f"{name} is handed on (line {read.lineno})")
        if index.value % pipeline.length != pipeline.position:
            raise Refused("the answer of EXPIRE is used")
        found.append(above)
    count = page.new_name(made, "count", "counted")
    page.draft.rewrite(made.targets[0], count)
    for above in found:
        if isinstance(above, ast.Subscript):
            page.draft.rewrite(above, count)


def _unqueue(page: Page, pipeline: _Pipeline, executed: ast.stmt) -> None:
    """The statements that queue go, and what made the pipeline."""
    program = page.program
    queueing = [program.statement(call) for call in pipeline.queued]
    if not all(isinstance(one, ast.Expr) for one in queueing):
        raise Refused("the pipeline is handed on while it is filled")
    unique = list({id(one): one for one in queueing}.values())
    maker = _maker(page, pipeline)
    if isinstance(maker, ast.With | ast.AsyncWith):
        body = list(maker.body)
        if body[: len(unique)] != unique or body[len(unique)] is not executed:
            raise Refused("the pipeline is filled among other statements of its `with`")
        dedented(page, maker, executed)
        return
    for one in (maker, *unique):
        page.draft.remove_statement(one)


def _maker(page: Page, pipeline: _Pipeline) -> ast.stmt:
    """`pipe = client.pipeline()`, or the `with` that makes it."""
    program = page.program
    receiver = pipeline.execute.node.func
    name = receiver.value if isinstance(receiver, ast.Attribute) else None
    scope = page.scope(pipeline.execute.node)
    found = bindings(scope, name.id) if isinstance(name, ast.Name) and isinstance(scope, Function) else []
    if len(found) != 1 or not isinstance(name, ast.Name):
        raise Refused("where the pipeline is made cannot be told")
    if len(reads(scope, name.id)) != len({id(_root(call)) for call in pipeline.queued}) + 1:
        raise Refused("the pipeline is used otherwise too")
    above = program.parent(found[0])
    made = (
        above.value
        if isinstance(above, ast.Assign)
        else above.context_expr
        if isinstance(above, ast.withitem)
        else None
    )
    if not (
        isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "pipeline"
    ):
        raise Refused("where the pipeline is made cannot be told")
    statement = program.statement(found[0])
    if isinstance(statement, ast.With | ast.AsyncWith) and len(statement.items) != 1:
        raise Refused("the `with` of the pipeline opens something else too")
    return statement


def _root(call: ast.expr) -> ast.expr:
    """The first object of a chain of calls."""
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        call = call.func.value
    return call
