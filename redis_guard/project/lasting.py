"""How long a call takes, or may take, where a constant says so.

Law of this file: by the documented parameters of well-known functions; a time that may be anything is no time.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Call, Const, Expr, Scope, Seq
from redis_guard.project.arguments import Arguments
from redis_guard.project.inference import Inference
from redis_guard.project.parameters import argument
from redis_guard.project.values import Library, LibraryInstance, RedisObject
from redis_guard.project.walk import last_name

_SLEEPS = {
    "time.sleep": "secs",
    "asyncio.sleep": "delay",
    "anyio.sleep": "delay",
    "trio.sleep": "seconds",
    "gevent.sleep": "seconds",
    "eventlet.sleep": "seconds",
}
"""Functions that sleep, and the name of their first parameter."""
_NEVER = 99
"""The position of what is given by its name alone."""
_HTTP = ("get", "post", "put", "patch", "delete", "head", "options", "request")
_WAITS: dict[str, tuple[int, str]] = {
    **{f"{library}.{method}": (_NEVER, "timeout") for library in ("requests", "httpx") for method in _HTTP},
    **{
        f"{session}.{method}": (_NEVER, "timeout")
        for session in ("requests.Session", "requests.session", "httpx.Client", "httpx.AsyncClient")
        for method in _HTTP
    },
    **{f"subprocess.{name}": (_NEVER, "timeout") for name in ("run", "call", "check_call", "check_output")},
    "urllib.request.urlopen": (2, "timeout"),
    "asyncio.wait_for": (1, "timeout"),
    "asyncio.wait": (_NEVER, "timeout"),
    "subprocess.Popen.wait": (0, "timeout"),
    "subprocess.Popen.communicate": (1, "timeout"),
    "threading.Event.wait": (0, "timeout"),
    "threading.Thread.join": (0, "timeout"),
}
"""Functions that wait for something, and where the longest time is given. Source: their documentation."""
_BLOCKING = {"blpop": 1, "brpop": 1, "bzpopmin": 1, "bzpopmax": 1, "brpoplpush": 2, "blmove": 2}
"""Commands of redis-py that wait on the server, and the position of their `timeout`, seconds; 0 is for ever."""
AWAITED = ("asyncio.", "anyio.", "trio.", "httpx.AsyncClient.")


class Lasting:
    """Answers over one project."""

    def __init__(self, inf: Inference, arguments: Arguments) -> None:
        self._inf = inf
        self._arguments = arguments

    def of(self, path: str, scope: int, call: Call, *, awaited: bool) -> tuple[float | None, bool]:
        """Seconds, and whether it surely takes them."""
        for name in self._names(path, scope, call):
            if name.startswith(AWAITED) and not awaited:
                continue
            if name in _SLEEPS:
                return self._seconds(path, scope, argument(call, 0, _SLEEPS[name])), True
            if name in _WAITS:
                return self._seconds(path, scope, argument(call, *_WAITS[name])), False
        if (
            isinstance(call.func, Attr)
            and call.func.name in _BLOCKING
            and self._client(path, scope, call.func)
        ):
            given = argument(call, _BLOCKING[call.func.name], "timeout")
            return self._seconds(path, scope, given) or None, False
        return None, False

    def _client(self, path: str, scope: int, method: Attr) -> bool:
        values = self._inf.values(path, scope, method.value)
        return any(isinstance(v.object, RedisObject) and v.object.kind == "client" for v in values)

    def turns(self, scope: Scope, path: str, number: int, construct: int) -> int | None:
        """How many times a `for` runs at most, where that is written: `range(10)`, a display."""
        roots = scope.constructs[construct].roots
        if scope.constructs[construct].kind != "for" or not roots:
            return None
        match scope.roots[roots[0]].expr:
            case Seq(items=items):
                return len(items)
            case Call(func=func, args=args) if last_name(func) == "range" and 1 <= len(args) <= 2:
                ends = [self._number(path, number, arg.value) for arg in args]
                first, last = (0, ends[0]) if len(ends) == 1 else ends
                if first is None or last is None:
                    return None
                return max(0, int(last - first))
        return None

    def _names(self, path: str, scope: int, call: Call) -> Iterator[str]:
        for value in self._inf.values(path, scope, call.func):
            if isinstance(value.object, (Library, LibraryInstance)):
                yield value.object.name
        if isinstance(call.func, Attr):
            for value in self._inf.values(path, scope, call.func.value):
                if isinstance(value.object, LibraryInstance):
                    yield f"{value.object.name}.{call.func.name}"

    def _seconds(self, path: str, scope: int, given: Expr | None) -> float | None:
        """The least of what it can be; both of requests' two times, for connecting and for reading."""
        if isinstance(given, Seq):
            each = [self._number(path, scope, item) for item in given.items]
            return sum(one for one in each if one is not None) if None not in each else None
        return None if given is None else self._number(path, scope, given)

    def _number(self, path: str, scope: int, given: Expr) -> float | None:
        if isinstance(given, Const):
            return _as_number((given.value,))
        known = self._arguments.describe(path, scope, given)
        if known.milliseconds is not None:
            return known.milliseconds / 1000
        return None if known.constants is None else _as_number(known.constants)


def _as_number(values: tuple[object, ...]) -> float | None:
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return float(min(numbers)) if numbers and len(numbers) == len(values) else None
