"""PUBLISH, and loops over what a subscription hears.

Law of this file: a signal says that something changed, and carries no data. Whoever reads data from messages keeps
his subscription.
"""

import ast

from redis_guard.migrate.bindings import Function, bindings, reads, seen_within
from redis_guard.migrate.listening import Subscription, loop_of
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site

_LONGEST_MARKER = 256


def rewrite_signals(page: Page) -> None:
    """Every sender and listener of the file."""
    for site in list(page.open()):
        family = site.call.facts.family if site.call.facts is not None else ""
        try:
            if family == "publish":
                _send(page, site)
            elif family == "subscribe":
                _listen(page, site)
            else:
                continue
            page.settle(site)
        except Refused as refused:
            page.refuse(site, str(refused))


def _send(page: Page, site: Site) -> None:
    if not site.call.immediate:
        raise Refused("it is queued on a pipeline; send it by itself")
    written = page.written(site)
    message = site.call.argument("message")
    node = written.argument("message")
    if message is None or node is None:
        raise Refused("what it publishes cannot be told")
    marker = _marker(message.constants, page.program.source(node))
    sent = page.awaited(site, f"{page.asking(site, written)}.send({marker})")
    if written.alone:
        page.draft.rewrite(written.whole, sent)
    else:
        receivers = f"({sent}).receivers" if sent.startswith("await ") else f"{sent}.receivers"
        page.draft.rewrite(written.whole, receivers)


def _marker(constants: tuple[object, ...] | None, text: str) -> str:
    """What `send()` is given. Raises Refused for what is or may be data."""
    if constants is None:
        raise Refused(f"{text} may be data, and a signal carries a marker of {_LONGEST_MARKER} bytes at most")
    if all(isinstance(one, str | bytes) for one in constants):
        longest = max(
            len(one.encode() if isinstance(one, str) else one)
            for one in constants
            if isinstance(one, str | bytes)
        )
        if longest > _LONGEST_MARKER:
            raise Refused(f"the message is longer than a marker may be ({_LONGEST_MARKER} bytes)")
        return "" if constants in (("",), (b"",)) else text
    if len(constants) == 1 and isinstance(constants[0], int | float) and not isinstance(constants[0], bool):
        return f'"{constants[0]}"'
    raise Refused(f"{text} is no text, and a signal carries a marker")


def _listen(page: Page, site: Site) -> None:
    """`pubsub = …; pubsub.subscribe(channel); for message in pubsub.listen(): …`"""
    written = page.written(site)
    if not written.alone:
        raise Refused("the answer of subscribe() is used")
    if len(site.call.arguments) != 1:
        raise Refused("it subscribes to other channels too, or with a handler")
    program = page.program
    scope = page.scope(written.node)
    receiver = written.node.func.value if isinstance(written.node.func, ast.Attribute) else None
    if not isinstance(receiver, ast.Name) or not isinstance(scope, Function):
        raise Refused("the subscription is kept elsewhere")
    found = bindings(scope, receiver.id)
    if len(found) != 1 or seen_within(scope, receiver.id) or not isinstance(found[0], ast.Name):
        raise Refused("the subscription is kept elsewhere")
    made = program.statement(found[0])
    call = made.value if isinstance(made, ast.Assign) else None
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "pubsub"
    ):
        raise Refused("the subscription is not made by `name = client.pubsub()` in this function")
    subscription = Subscription(receiver.id, made, written.statement)
    loop = loop_of(page, subscription, reads(scope, receiver.id))
    head = page.asking(site, written, at=loop.iter)
    page.draft.rewrite(loop.iter, f"{head}.listen()")
    page.draft.remove_statement(made)
    page.draft.remove_statement(written.statement)
    page.note(
        site.call.span,
        "the runtime's listener also wakes at the start, after each subscription and every `reread`: "
        "the loop's body must bear that",
    )
