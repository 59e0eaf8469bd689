"""Finding the server that a key is on, in the world of threads.

Law of this file: whoever needs an address asks for it himself, within the time that he has.
"""

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.nodes import Finding, Nodes
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.sync.link import Link
from redis_guard.runtime.sync.pool import Pool


def found(nodes: Nodes[Pool], key: bytes | None, seconds: float) -> Pool:
    """The connections to the server that keeps `key`, or to any for None. Raises `Fault`."""
    until = now() + seconds
    while (pool := nodes.of(key)) is None:
        _find(nodes.find(), until)
    return pool


def _find(finding: Finding, until: float) -> None:
    answer: object = None
    error: Fault | None = None
    while True:
        try:
            ask = finding.send(answer) if error is None else finding.throw(error)
        except StopIteration:
            return
        try:
            share = ask.share(until - now())
            link = Link.open(ask.server, share, timed=False)
            try:
                answer, error = link.command(share, *ask.words), None
            finally:
                link.close()
        except Fault as fault:
            error = fault
