"""Whether a publication hands out work, or tells of something.

Law of this file: by names, since nothing else tells; a word that speaks of news outweighs one that speaks of work.
"""

import re
from collections.abc import Iterable, Sequence

from redis_guard.behaviour.families import channels
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Argument, Call

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_QUEUES = frozenset(
    "queue queues tasks jobs todo todos workqueue taskqueue jobqueue work works workload".split()
)
_PIECES = frozenset("task job".split())
"""Where the channel is the same for all: `task:{id}` is where one task tells of itself."""
_NEWS = frozenset(
    "status state states update updates updated progress event events done complete completed completion finish "
    "finished finish result results response responses reply replies answer answers notify notification "
    "notifications notifier changed change changes log logs logging cancel cancelled canceled cancellation stop "
    "stopped abort pause resume kill heartbeat ping ready available created added new removed deleted signal wake "
    "wakeup activity active control controls command commands stats statistics metric metrics alert alerts broadcast "
    "ack error errors failed failure failures invalidate invalidation refresh reload live stream streams sse ws "
    "websocket websockets socket feed monitor monitoring info chat presence tick "
    "hint announce announcement dashboard ui listener listeners output stdout".split()
)
_GIVING = frozenset("enqueue enqueued submit dispatch delegate schedule".split())
_OF_ONE = re.compile(
    r"(?:^|_)(?:id|uuid|uid|pk|key|user|session|tenant|client|owner|name|token|sid)s?$", re.IGNORECASE
)


def hands_out_work(call: Call, others: Sequence[Call]) -> bool:
    """Whether what `call` publishes is work that is nowhere else; `others` are all calls of its function."""
    named = channels(call)
    message = call.argument("message")
    if len(named) != 1 or message is None or message.constants is not None or call.result.use not in _UNREAD:
        return False
    if not _carries_work(message) or any(_writes(other) for other in others):
        return False
    spoken = {*words(call.function.name), *words(_literal(named[0]))}
    if spoken & _NEWS or _payload(message) & _NEWS:
        return False
    return _names_work(named[0], call)


def _carries_work(message: Argument) -> bool:
    """It is more than the name of something that is kept elsewhere."""
    called = {name.rpartition(".")[2] for name in message.calls}
    return bool(called & _SERIALISING) or bool(
        _payload(message) & _PAYLOADS and not _OF_ONE.search(message.text)
    )


_SERIALISING = frozenset(
    "dumps dumpb packb pack json model_dump_json SerializeToString serialize to_json encode_job".split()
)
_PAYLOADS = frozenset("payload body job task work".split())
_UNREAD = frozenset({"discarded", "returned"})
"""Whoever looks at the number of receivers may do something about none."""


def _names_work(channel: Key, call: Call) -> bool:
    holes = [piece for piece in channel.pieces if isinstance(piece, Hole)]
    literal = set(words(_literal(channel)))
    if literal:
        if any(_OF_ONE.search(hole.name) for hole in holes):
            return False
        return bool(literal & (_QUEUES if holes else _QUEUES | _PIECES))
    # the channel is not seen: the function must say it, and what it is given
    message = call.argument("message")
    given = _payload(message) if message is not None else frozenset()
    hole_words = {word for hole in holes for word in words(hole.name)}
    if hole_words & _NEWS:
        return False
    says = set(words(call.function.name))
    return bool(says & _GIVING) and bool((says | given | hole_words) & (_QUEUES | _PIECES))


def words(name: str) -> Iterable[str]:
    """The words of an identifier or a key, in lower case."""
    return (word.lower() for word in _WORDS.findall(name))


def _payload(message: Argument) -> frozenset[str]:
    return frozenset(word for name in (*message.words, *message.calls) for word in words(name))


def _literal(channel: Key) -> str:
    return " ".join(piece for piece in channel.pieces if isinstance(piece, str))


def _writes(call: Call) -> bool:
    """Something is kept: what is published may be a hint at it."""
    return call.facts is not None and (
        (call.facts.access in ("write", "both") and call.facts.creates) or call.facts.family == "script"
    )
