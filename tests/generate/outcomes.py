"""What a call hands back, by kind of object.

Law of this file: what was seen of a call comes first, then the function's own form, then its annotation.
"""

import inspect
from collections.abc import Callable
from typing import Any

from tests.generate.method_facts import fact_of
from tests.generate.probe import Observation
from tests.generate.receivers import Receiver


def refuses(function: Callable[..., Any]) -> bool:
    """Whether a cluster pipeline has this in place of a method, to refuse it."""
    return function.__qualname__.startswith("block_pipeline_command")


def returns(receiver: Receiver, name: str, seen: Observation | None) -> str:
    """What kind of object a call hands back (`Returned`)."""
    fact = fact_of(receiver, name)
    if refuses(receiver.function(name)) or (seen is not None and seen.refused):
        return "refused"
    if fact and fact.returns not in ("value", "self"):
        return _kind_returned(receiver, fact.returns)
    if fact and fact.returns == "self":
        return "self"
    function = inspect.unwrap(receiver.function(name))
    if (
        inspect.isgeneratorfunction(function)
        or inspect.isasyncgenfunction(function)
        or (seen and seen.yields)
    ):
        return "iterator"
    queued = (
        receiver.queues
        and (fact is None or fact.family == "raw")
        and not inspect.iscoroutinefunction(function)
    )
    return "self" if queued else "value"


def _kind_returned(receiver: Receiver, returned: str) -> str:
    """`pipeline` of an asyncio cluster is `async-cluster-pipeline`; clients got from a pipeline are plain."""
    if returned == "pipeline":
        cluster = "cluster-" if "cluster" in receiver.kind else ""
        return f"{'async-' if receiver.is_async else ''}{cluster}pipeline"
    queued = receiver.queues and returned not in ("lock", "pubsub", "script", "monitor")
    return f"{'async-' if receiver.is_async and not queued else ''}{returned}"


def async_returns(receiver: Receiver, name: str, seen: Observation | None) -> str:
    """What the bare call hands back (`AsyncReturn`)."""
    if not receiver.is_async:
        return "plain"
    function: Any = inspect.unwrap(receiver.function(name))
    if inspect.isasyncgenfunction(function):
        return "async-iterator"
    if inspect.iscoroutinefunction(function):
        return "awaitable"
    if receiver.queues:
        return "plain"
    if seen is not None:
        return "async-iterator" if seen.yields else "awaitable" if seen.awaitable else "plain"
    fact = fact_of(receiver, name)
    if fact and fact.awaitable:
        return "awaitable"
    annotation = str(function.__annotations__.get("return", ""))
    return "awaitable" if "Awaitable" in annotation else "plain"
