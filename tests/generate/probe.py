"""Calls each method with sample arguments on an object that sends nothing, and notes what it would have sent.

Law of this file: no connection is ever made; a call that fails before it sends is noted, never guessed.
"""

import asyncio
import importlib
import inspect
import warnings
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from redis.connection import Encoder

from tests.generate.receivers import Receiver
from tests.generate.samples import SAMPLES, sample

_REPLY = (0, {})  # a finished cursor, for the generators that scan
_REFUSALS = ("not implemented", "not be implemented", "not support", "is blocked when running")


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call showed."""

    sent: tuple[tuple[object, ...], ...] = ()
    shapes: tuple[tuple[str, str], ...] = ()
    """For each parameter that may hold keys, how they lay in it (`KeyShape`)."""
    refused: bool = False
    """The call raised what a kind of object raises for calls that it never supports."""
    awaitable: bool = False
    yields: bool = False
    trouble: str = ""


class _AsyncReply:
    def __await__(self) -> Iterator[Any]:
        yield from ()
        return _REPLY


def recording(cls: type, *, replies_async: bool) -> Any:
    """An object of a class made from `cls`, whose `sent` fills with what it would have sent."""

    def execute_command(self: Any, *args: object, **options: object) -> object:
        self.sent.append(args)
        return _AsyncReply() if replies_async else _REPLY

    made = type(
        f"Recording{cls.__name__}", (cls,), {"execute_command": execute_command, "__del__": lambda self: None}
    )
    instance = made.__new__(made)
    if cls.__name__ in ("Redis", "Valkey"):  # a cluster client connects in its constructor: it goes without
        instance.__dict__.update(cls().__dict__)
    else:
        instance.encoder = Encoder("utf-8", "strict", decode_responses=False)
    instance.sent = []
    instance.response_callbacks = {}
    return instance


def arguments(name: str, function: Any) -> tuple[list[Any], dict[str, Any], dict[str, str]]:
    """Positional and keyword arguments for a bound method, and the shape of each that may hold keys."""
    given = SAMPLES.get(name, {})
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    shapes: dict[str, str] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        required = parameter.default is parameter.empty
        if parameter.name not in given and not required:
            continue
        value = given[parameter.name] if parameter.name in given else sample(parameter)
        shapes[parameter.name] = _shape(parameter, value)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif required and parameter.kind is not parameter.KEYWORD_ONLY:
            positional.append(value)
        else:
            keywords[parameter.name] = value
    return positional, keywords, shapes


def _shape(parameter: inspect.Parameter, value: object) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return "counted" if parameter.name == "keys_and_args" else "many"
    if isinstance(value, dict):
        return "mapping"
    if isinstance(value, list):
        return "tuples" if isinstance(value[0], tuple) else "list"
    return "one"


def observe(target: Any, client: Any, name: str) -> Observation:
    """Call `target.name` and say what `client`, which it sends through, was given to send."""
    client.sent.clear()
    method = getattr(target, name)
    trouble, refused, awaitable, yields = "", False, False, False
    shapes: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            positional, keywords, shapes = arguments(name, method)
            result = method(*positional, **keywords)
            yields = inspect.isgenerator(result) or inspect.isasyncgen(result)
            awaitable = inspect.isawaitable(result)
            _run(result)
        except Exception as error:
            trouble = f"{type(error).__name__}: {error}"
            refused = any(words in str(error) for words in _REFUSALS)
    return Observation(tuple(client.sent), tuple(shapes.items()), refused, awaitable, yields, trouble)


def _run(result: Any) -> None:
    if inspect.isgenerator(result):
        list(result)
    elif inspect.iscoroutine(result):
        asyncio.run(result)
    elif inspect.isasyncgen(result):
        asyncio.run(_drain(result))


async def _drain(generator: Any) -> None:
    async for _ in generator:
        pass


def observe_all(receiver: Receiver, *, leave_out: Container[str]) -> dict[str, Observation]:
    """What each method of a kind of client, or of a client for a module, shows."""
    stages = {cls: _stage(receiver, cls) for cls in receiver.classes}
    names = (name for name in receiver.names() if name not in leave_out)
    return {name: observe(*stages[receiver.owner(name)], name) for name in names}


def _stage(receiver: Receiver, cls: type) -> tuple[Any, Any]:
    """The object to call and the one it sends through; they are one for clients."""
    if receiver.subject == "client":
        client = recording(cls, replies_async=receiver.is_async and not receiver.queues)
        return client, client
    library = cls.__module__.partition(".")[0]
    name = {"redis": "Redis", "valkey": "Valkey"}[library]
    module = importlib.import_module(f"{library}.asyncio" if receiver.is_async else library)
    client = recording(getattr(module, name), replies_async=receiver.is_async)
    target = (
        client.bitfield("<key>") if receiver.subject == "bitfield" else getattr(client, receiver.subject)()
    )
    return target, client
