"""A loop over `listen()` ends with the first lost connection.

What: `listen()` is looped over, and neither the loop nor whoever calls its function catches a connection's errors.
Why it hurts: when Redis restarts or fails over for longer than the client's own retries, the loop ends with an
exception: the thread, task or process is gone, nothing is received any more, and often nobody notices.
Instead: loop for ever around it, catch `redis.exceptions.ConnectionError`, wait, subscribe anew and fetch what was
missed meanwhile; or register a signal use case, whose `listen()` does all this.
Not reported: generators, which hand the error to their reader; loops that return an answer; loops that forward to one
websocket or request, which end with it; clients that are built with a `retry` of their own; tests.
Fix: none is offered yet.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.wording import written
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_OTHER_ERRORS = frozenset(
    "KeyboardInterrupt SystemExit CancelledError GeneratorExit StopIteration StopAsyncIteration ValueError TypeError "
    "KeyError IndexError AttributeError JSONDecodeError UnicodeDecodeError OSError IOError TimeoutError "
    "WebSocketDisconnect ConnectionClosed ConnectionClosedOK ConnectionClosedError ConnectionResetError "
    "ImportError ModuleNotFoundError AssertionError LookupError BrokenPipeError".split()
)
"""Whoever catches one of these, and nothing else, does not catch the errors of a Redis connection."""
_TRYING_AGAIN = re.compile(
    r"retry|backoff|supervis|reconnect|resilient|keep_?alive|auto_?restart", re.IGNORECASE
)
_OF_ONE_PEER = re.compile(
    r"(?:^|_)(?:ws|web_?socket|socket|sock|request|req|response|writer)$", re.IGNORECASE
)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.method == "listen" and call.kind == "pubsub" and _ends_with_an_error(call):
            yield at(call, _message(call))


def _ends_with_an_error(call: Call) -> bool:
    loop, function = call.loop, call.function
    if loop is None or loop.gives_back or function.generator or call.retries:
        return False
    if loop.caught - _OTHER_ERRORS or any(context.name.endswith("suppress") for context in call.contexts):
        return False
    if any(_TRYING_AGAIN.search(mark) for mark in function.decorators):
        return False
    return not any(_OF_ONE_PEER.search(parameter) for parameter in function.parameters)


def _message(call: Call) -> str:
    return (
        f"nothing catches a lost connection around this loop over {written(call)}: it ends with an exception, and "
        "nobody listens any more; catch ConnectionError, subscribe anew, and fetch what was missed"
    )


_BAD = """
inbox = r.pubsub()
inbox.subscribe("prices")
for message in inbox.listen():
    show(message)
"""
_GOOD = """
while True:
    try:
        inbox = r.pubsub()
        inbox.subscribe("prices")
        show_all()
        for message in inbox.listen():
            show(message)
    except redis.ConnectionError:
        time.sleep(1)
"""

RULE = Rule(
    code="RG707",
    name="pubsub-no-reconnect",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad=_BAD.strip(), good=_GOOD.strip(), setup="import time\n\nimport redis\n\nr = redis.Redis()\n"
        ),
    ),
)
