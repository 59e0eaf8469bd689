"""`client.lock(…)`: in a `with`, or taken and given back by its methods.

Law of this file: how long the caller waits stays as it is, or is said.
"""

import ast

from redis_guard.behaviour.durations import lifetime_ms
from redis_guard.migrate.asked import in_test
from redis_guard.migrate.bindings import bindings, reads, seen_within
from redis_guard.migrate.handlers import rewrite_handlers
from redis_guard.migrate.leasing import Taking, finally_to_with, rewrite
from redis_guard.migrate.lifetimes import note_milliseconds
from redis_guard.migrate.looked_first import rewrite_look
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site
from redis_guard.migrate.waiting import Wait, wait_of
from redis_guard.repairs.written import Written

_STACKS = frozenset({"enter_context", "enter_async_context"})


def rewrite_locks(page: Page) -> None:
    """Every lock of redis-py in the file."""
    for site in list(page.open()):
        if site.call.facts is not None and site.call.facts.family == "lock":
            try:
                _one(page, site)
                page.settle(site)
            except Refused as refused:
                page.refuse(site, str(refused))


def _one(page: Page, site: Site) -> None:
    written = page.written(site)
    program, node = page.program, written.node
    above = program.parent(node)
    match above:
        case ast.withitem(context_expr=entered, optional_vars=name) if entered is node:
            if isinstance(name, ast.Name) and reads(page.scope(node), name.id):
                raise Refused(f"the lock object {name.id} is used inside; the runtime gives a lease")
            if name is None and rewrite_look(page, site, written):
                rewrite_handlers(page, written.statement, ("LockLost",))
            else:
                rewrite_handlers(page, written.statement, ("LockLost", "LockNotAcquired"))
                wait = wait_of(written, None, page.target.case.wait_ms)
                end = program.end(node) if name is None else program.end(name)
                page.draft.replace(program.start(node), end, _entered(page, site, written, wait))
        case ast.Call(func=ast.Attribute(attr=stack), args=[only]) if stack in _STACKS and only is node:
            if not isinstance(_statement_value(program.parent(above)), ast.Call):
                raise Refused("what enters the lock is used")
            wait = wait_of(written, None, page.target.case.wait_ms)
            page.draft.rewrite(node, _entered(page, site, written, wait))
        case ast.Assign(targets=[ast.Name(id=name)]):
            _kept(page, site, written, above, name)
        case ast.Attribute(attr=method):
            raise Refused(f"the lock has no name, and {method}() is called on it")
        case ast.Return():
            raise Refused("the lock is handed to the caller")
        case _:
            raise Refused("the lock object is kept elsewhere; take it with `with` where it is needed")
    timeout = site.call.argument("timeout")
    if timeout is None or timeout.kind == "none":
        page.note(site.call.span, "the lock never expired here; the runtime's does")
    else:
        note_milliseconds(page, site.call.span, lifetime_ms(site.call))


def _statement_value(node: ast.AST | None) -> ast.expr | None:
    return node.value if isinstance(node, ast.Expr | ast.Await) else None


def _entered(page: Page, site: Site, written: Written, wait: Wait, at: ast.AST | None = None) -> str:
    if wait.note:
        page.note(site.call.span, wait.note)
    return page.asking(site, written, *wait.argument, at=at)


def _kept(page: Page, site: Site, written: Written, making: ast.Assign, name: str) -> None:
    """`lock = client.lock(…)`, and what the function does with it."""
    program, scope = page.program, page.scope(making)
    assert isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module | ast.Lambda)
    if isinstance(scope, ast.Module) or len(bindings(scope, name)) != 1 or seen_within(scope, name):
        raise Refused(f"{name} is seen by others than this function, or is given other values too")
    entered, acquired, guards = [], [], []
    released: list[ast.stmt | None] = []
    for read in reads(scope, name):
        above = program.parent(read)
        if isinstance(above, ast.withitem) and above.context_expr is read and above.optional_vars is None:
            entered.append(read)
            continue
        call = program.parent(above) if isinstance(above, ast.Attribute) else None
        if isinstance(above, ast.Attribute) and isinstance(call, ast.Call) and call.func is above:
            if site.asynchronous and not isinstance(program.parent(call), ast.Await):
                raise Refused(f"{above.attr}() is not awaited (line {read.lineno})")
            if above.attr == "acquire":
                acquired.append(call)
                continue
            if above.attr == "owned" and (guard := _guarded_release(page, call, name)) is not None:
                guards.append(guard)
                continue
            if above.attr == "release" and isinstance(_whole_statement(page, call), ast.Expr):
                released.append(_whole_statement(page, call))
                continue
            raise Refused(
                f"{above.attr}() is called on the lock (line {read.lineno}); the runtime gives a lease"
            )
        raise Refused(f"{name} is handed on (line {read.lineno})")
    released = [_guard_of(guards, one) for one in released]
    if entered and not acquired and not released:
        for read in entered:
            rewrite_handlers(page, program.statement(read), ("LockLost", "LockNotAcquired"))
        wait = wait_of(written, None, page.target.case.wait_ms)
        page.draft.rewrite(written.node, _entered(page, site, written, wait))
    elif len(acquired) == 1 and released and not entered:
        _methods(page, site, written, making, acquired[0], released)
    elif acquired and not released:
        raise Refused("the lock is not given back in this function")
    else:
        raise Refused("the lock is taken in several places")


def _guarded_release(page: Page, call: ast.Call, name: str) -> ast.If | None:
    """`if lock.owned(): lock.release()`: who has lost the lock is told so by the runtime."""
    above = page.program.parent(call)
    test: ast.expr = above if isinstance(above, ast.Await) else call
    block = page.program.parent(test)
    if not isinstance(block, ast.If) or block.test is not test or len(block.body) != 1 or block.orelse:
        return None
    return block if ast.unparse(block.body[0]).removeprefix("await ") == f"{name}.release()" else None


def _guard_of(guards: list[ast.If], release: ast.stmt | None) -> ast.stmt | None:
    """The test around a release, which goes with it."""
    return next((guard for guard in guards if guard.body[0] is release), release)


def _whole_statement(page: Page, call: ast.Call) -> ast.stmt | None:
    """The statement that is the call and nothing else."""
    above = page.program.parent(call)
    if isinstance(above, ast.Await):
        above = page.program.parent(above)
    return above if isinstance(above, ast.Expr) else None


def _methods(
    page: Page,
    site: Site,
    written: Written,
    making: ast.Assign,
    acquire: ast.Call,
    released: list[ast.stmt | None],
) -> None:
    program = page.program
    wait = wait_of(written, acquire, page.target.case.wait_ms)
    above = program.parent(acquire)
    whole: ast.expr = above if isinstance(above, ast.Await) else acquire
    releases = tuple(one for one in released if one is not None)
    for release in releases:
        rewrite_handlers(page, release, ("LockLost",))
    statement = program.statement(whole)
    if isinstance(statement, ast.Expr) and statement.value is whole:
        _waits_then_tries(page, site, written, making, statement, releases, wait)
        return
    if wait.note and not in_test(program, whole):
        raise Refused("acquire() waits for ever, and its answer is kept")
    text = _entered(page, site, written, wait.spelled(page.target.case.wait_ms), whole)
    page.draft.remove_statement(making)
    asked = page.awaited(site, f"{text}.try_acquire()")
    rewrite(page, Taking(whole, asked, site.asynchronous, releases, True))


def _waits_then_tries(
    page: Page,
    site: Site,
    written: Written,
    making: ast.Assign,
    acquire: ast.stmt,
    releases: tuple[ast.stmt, ...],
    wait: Wait,
) -> None:
    """`lock.acquire()` as a statement, then `try: … finally: lock.release()`."""
    program = page.program
    if not wait.for_ever:
        raise Refused("nobody looks whether the lock was taken")
    block = program.block(acquire).statements
    after = block[[one is acquire for one in block].index(True) + 1 :]
    following = after[0] if after else None
    if not isinstance(following, ast.Try) or following.handlers or following.orelse or len(releases) != 1:
        raise Refused("the work is not in a try … finally directly behind acquire()")
    if following.finalbody != [releases[0]]:
        raise Refused("more is done in `finally` than to give the lock back")
    text = _entered(page, site, written, wait, acquire)
    page.draft.remove_statement(making)
    head = f"{'async ' * site.asynchronous}with {text}"
    if finally_to_with(page, following, head) is None:
        raise Refused("a comment stands in the `finally` that goes")
    page.draft.remove_statement(acquire)
