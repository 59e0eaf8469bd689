"""`await asyncio.gather(r.set(…), r.expire(…))`: the two calls are on their way at one time.

Law of this file: nobody may see the list of answers, since it becomes shorter.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.repairs.written import Written


def gathering_of(write: Written, expiry: Written) -> ast.Call | None:
    """The `gather(…)` that waits for both, in a statement of its own; None where there is none."""
    program = write.program
    together = program.parent(write.node)
    if not isinstance(together, ast.Call) or together is not program.parent(expiry.node):
        return None
    name = together.func.attr if isinstance(together.func, ast.Attribute) else ""
    named = isinstance(together.func, ast.Name) and together.func.id == "gather"
    waited = program.parent(together)
    alone = isinstance(waited, ast.Await) and isinstance(program.parent(waited), ast.Expr)
    return together if (name == "gather" or named) and alone else None


def take_out(draft: Draft, together: ast.Call, write: Written, expiry: Written) -> None:
    """Take the second call out; what waits for one call alone goes as well."""
    program = draft.program
    if [*together.args, *together.keywords] == [write.node, expiry.node]:
        draft.replace(program.start(together), program.start(write.node), "")
        draft.replace(program.end(write.node), program.end(together), "")
    else:
        draft.remove_argument(together, expiry.node)
