"""`write(…) and expire(…)`: the second call happens where the first one's answer is true.

Law of this file: the two stand side by side in one `and`, and what comes behind them stays.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.repairs.written import Written


def chain_of(write: Written, expiry: Written) -> ast.BoolOp | None:
    """The `and` in which the second call comes directly after the first; None where there is none."""
    chain = write.program.parent(write.whole)
    if not isinstance(chain, ast.BoolOp) or not isinstance(chain.op, ast.And):
        return None
    number = next(number for number, each in enumerate(chain.values) if each is write.whole)
    return chain if chain.values[number + 1 : number + 2] == [expiry.whole] else None


def shorten(draft: Draft, write: Written, expiry: Written) -> None:
    """Take the second call out of the chain."""
    draft.replace(draft.program.end(write.whole), draft.program.end(expiry.whole), "")
