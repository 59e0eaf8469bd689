"""Calls that say all there is to say of them: a method of a client, its arguments written out, done at once.

Law of this file: what may be queued, hidden behind a star, or forgotten to be awaited, is not plain.
"""

import ast

from redis_guard.project.model import Call
from redis_guard.repairs.written import Written


def at_once(call: Call) -> bool:
    """Surely done where it stands, by an object of one kind."""
    return call.immediate and not call.optional_pipeline and not call.either and call.lent_by is None


def plain(written: Written) -> bool:
    """`client.method(…)`, awaited if it has to be."""
    call = written.call
    awaited = call.asynchronous is isinstance(written.whole, ast.Await)
    return at_once(call) and written.method_named and not written.starred and not call.opaque and awaited
