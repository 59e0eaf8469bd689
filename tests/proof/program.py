"""A program as text, run once against the test server.

Law of this file: what comes in and goes out are plain values; nothing of one run is left for the next.
"""

import ast
import asyncio
import importlib.metadata
import inspect
import random
import re
import secrets
import sys
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import CodeType
from typing import Any
from unittest import mock

import redis
import redis.asyncio

from tests.proof.callbacks import Callback, Outside
from tests.proof.death import Crash
from tests.proof.tap import Tap
from tests.proof.values import Outcome, canonical, raised

_VERSION_OF = cache(importlib.metadata.version)


WAIT_SECONDS = 2.0
"""As long as a program may wait in one run, of its own accord or for a server."""


class Stuck(BaseException):
    """The program waits for something that does not come; its fixture is to say what lies on the server before."""


@dataclass(frozen=True, slots=True)
class Client:
    """Stands in the inputs for a client of the test server, made anew for each run."""

    asynchronous: bool = False
    decode: bool = False

    def make(self) -> Any:
        kind = redis.asyncio.Redis if self.asynchronous else redis.Redis
        return kind(decode_responses=self.decode)


@dataclass(frozen=True)
class Program:
    """`entry` is a function of the program, or an expression in its names that gives one."""

    text: str | bytes
    entry: str
    name: str = "program"
    code: CodeType = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", compile(self.text, f"<{self.name}>", "exec"))

    def run(self, tap: Tap, outside: Outside, inputs: Mapping[str, Any], clock: float) -> Outcome:
        """What it gave, raised, or that it crashed; `clock` is what `time.time()` says meanwhile."""
        with tap.opened(), _repeatable(clock), _quiet(), warnings.catch_warnings():
            # Programs may be old; pytest would make an error of each deprecated method.
            warnings.simplefilter("ignore", DeprecationWarning)
            namespace: dict[str, Any] = {"__name__": self.name}
            try:
                exec(self.code, namespace)
                entry = eval(self.entry, namespace)
                given = {name: _given(value, outside) for name, value in inputs.items()}
                if inspect.iscoroutinefunction(entry) or inspect.isasyncgenfunction(entry):
                    outcome = asyncio.run(_awaited(entry, given, tap))
                else:
                    outcome = Outcome("returned", canonical(entry(**given)))
            except Crash:
                outcome = Outcome("crashed", None)
            except Exception as error:
                outcome = raised(error)
            finally:
                tap.close()
                _let_go(namespace)
        return outcome

    @property
    def asynchronous(self) -> bool:
        """The entry is to be awaited."""
        return isinstance(self._definition(), ast.AsyncFunctionDef)

    def parameters(self) -> dict[str, str]:
        """The annotation of each parameter of the entry, as it is written; empty where there is none."""
        arguments = self._definition().args
        return {
            one.arg: ast.unparse(one.annotation) if one.annotation else ""
            for one in (*arguments.args, *arguments.kwonlyargs)
            if one.arg != "self"
        }

    def _definition(self) -> ast.FunctionDef | ast.AsyncFunctionDef:
        called = re.findall(r"\w+", self.entry)[-1]
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == called:
                return node
        raise ValueError(f"{self.name}: no function {called}")


def _given(value: Any, outside: Outside) -> Any:
    if isinstance(value, Client):
        return value.make()
    return outside.callback(value) if isinstance(value, Callback) else value


async def _awaited(entry: Any, given: Mapping[str, Any], tap: Tap) -> Outcome:
    try:
        async with asyncio.timeout(WAIT_SECONDS) as limit:
            answer = entry(**given)
            value = answer if inspect.isasyncgen(answer) else await answer
            if inspect.isasyncgen(value):
                return Outcome("returned", ("async generator", canonical([one async for one in value])))
            return Outcome("returned", canonical(value))
    except TimeoutError as error:
        if limit.expired():
            raise Stuck("the program waits for more than it is given") from error
        raise
    finally:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await tap.hang_up()


def _let_go(namespace: dict[str, Any]) -> None:
    """Close what the program holds, so that its connections are not left to the garbage collector."""
    for value in list(namespace.values()):
        if isinstance(value, (redis.Redis, redis.RedisCluster)):
            value.close()
    namespace.clear()


@contextmanager
def _quiet() -> Iterator[None]:
    """While inside, a crash in a finalizer is no news: redis-py's pipelines speak to the server from theirs."""
    told = sys.unraisablehook

    def tell(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, Crash):
            told(unraisable)

    with mock.patch.object(sys, "unraisablehook", tell):
        yield


@contextmanager
def _repeatable(clock: float) -> Iterator[None]:
    """While inside, what is drawn at random is the same in every run, and the time stands still."""
    source = random.Random(7)

    slept = 0.0
    really_sleep = time.sleep

    def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds
        if slept > WAIT_SECONDS:
            raise Stuck("the program sleeps again and again")
        really_sleep(seconds)

    def token(size: int = 32) -> str:
        return source.randbytes(size).hex()

    def identity(*_: object) -> uuid.UUID:
        return uuid.UUID(int=source.getrandbits(128), version=4)

    with (
        # redis-py draws its locks' tokens with the first.
        mock.patch.object(uuid, "uuid1", identity),
        mock.patch.object(uuid, "uuid4", identity),
        mock.patch.object(secrets, "token_hex", token),
        mock.patch.object(secrets, "token_urlsafe", token),
        mock.patch.object(time, "time", lambda: clock),
        mock.patch.object(time, "sleep", sleep),
        # redis-py asks for its own version whenever a client is made, which takes longer than all the rest.
        mock.patch.object(importlib.metadata, "version", _VERSION_OF),
    ):
        yield
