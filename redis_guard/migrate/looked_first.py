"""`if client.get(key): return` in front of `with client.lock(key, …)`: a look whether somebody has the lock.

Law of this file: whoever is to go away when somebody has it asks once and goes; the answer is the lease.
"""

import ast

from redis_guard.behaviour.lookups import says_presence, says_value
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site
from redis_guard.repairs.leaving import always_leaves
from redis_guard.repairs.written import Written, stands_alone_on_lines


def rewrite_look(page: Page, site: Site, written: Written) -> bool:
    """Draft the edits of a look and the `with` behind it; False where there is no look."""
    program = page.program
    block = program.statement(written.node)
    look = _look_before(page, site, block)
    if look is None:
        return False
    test, asked = look
    if len(getattr(block, "items", ())) != 1 or not stands_alone_on_lines(program, test):
        raise Refused("the look before it is not an `if` of its own")
    text = page.awaited(site, f"{page.asking(site, written, at=test)}.try_acquire()")
    name = page.new_name(written.node, "lease", "lock_lease")
    start = program.lines.starts[test.lineno - 1]
    page.draft.insert(start, f"{program.indent(test)}{name} = {text}{program.ending(test)}")
    page.draft.rewrite(test.test, f"{name} is None")
    page.draft.rewrite(written.node, name)
    page.note(
        site.call.span, "who comes second while the first is taking it goes away too, where he waited before"
    )
    page.settle(asked)
    return True


def _look_before(page: Page, site: Site, block: ast.stmt) -> tuple[ast.If, Site] | None:
    statements = page.program.block(block).statements
    number = next(n for n, each in enumerate(statements) if each is block)
    before = statements[number - 1] if number else None
    if not isinstance(before, ast.If) or before.orelse or not always_leaves(before.body):
        return None
    asked = before.test.value if isinstance(before.test, ast.Await) else before.test
    for other in page.open():
        if other.key == site.key and (says_value(other.call) or says_presence(other.call)):
            if page.written(other).node is asked:
                return before, other
    return None
