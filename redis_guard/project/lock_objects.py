"""Which expressions are locks, and the calls that made them.

Law of this file: locks of libraries alone (redis-py, python-redis-lock, Django's cache); a lock that a project
makes by hand is a matter of its keys.
"""

from typing import Literal, NamedTuple

from redis_guard.facts.model import Attr, Await, Call, Expr, Walrus
from redis_guard.finding import Confidence, Span
from redis_guard.project import kinds, model
from redis_guard.project.arguments import Arguments
from redis_guard.project.binding import bind
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.values import Library, LibraryInstance, RedisObject

TAKING = frozenset({"acquire", "__enter__", "__aenter__"})
METHODS = TAKING | {"release", "__exit__", "__aexit__", "extend", "reacquire", "owned", "locked", "reset"}

_Library = Literal["redis-py", "redis_lock", "django"]
_FOREIGN: dict[str, _Library] = {
    "redis_lock.Lock": "redis_lock",
    "django.core.cache.cache.lock": "django",
}
_PARAMETERS: dict[_Library, tuple[str, ...]] = {
    "redis-py": ("redis", "name", "timeout", "sleep", "blocking", "blocking_timeout"),
    "redis_lock": (
        "redis_client",
        "name",
        "expire",
        "id",
        "auto_renewal",
        "strict",
        "signal_expire",
        "blocking",
    ),
    "django": ("key",),
}
"""Sources: redis-py 8.1 and python-redis-lock 4.0, the constructors. What follows a key in `cache.lock` differs."""
_CLIENT = RedisObject("client", False, "redis.client.Redis")
_ACQUIRE = {"redis_lock": ("blocking", "timeout")}
_CONFIDENCE: dict[int, Confidence] = {2: "certain", 1: "likely", 0: "guessed"}


class Lock(NamedTuple):
    """What an expression is, if it is a lock."""

    library: _Library
    asynchronous: bool
    confidence: Confidence


class LockObjects:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, arguments: Arguments) -> None:
        self._inf = inf
        self._origins = origins
        self._arguments = arguments

    def of(self, path: str, scope: int, expr: Expr) -> Lock | None:
        for value in self._inf.values(path, scope, expr):
            match value.object:
                case RedisObject(kind="lock", asynchronous=asynchronous):
                    return Lock("redis-py", asynchronous, _CONFIDENCE[value.grade])
                case LibraryInstance(name=name) if name in _FOREIGN:
                    return Lock(_FOREIGN[name], False, _CONFIDENCE[value.grade])
        return None

    def makings(self, path: str, scope: int, expr: Expr) -> tuple[tuple[model.Making, ...], bool]:
        """The calls that made a lock, and whether there can be no others."""
        trail = self._origins.trail(path, scope, expr)
        found = []
        complete = trail.complete
        for origin in trail.origins:
            call = _bare(origin.expr)
            known = self.of(origin.path, origin.scope, call) if isinstance(call, Call) else None
            if known is None or not isinstance(call, Call):
                complete = False
                continue
            found.append(self._making(origin.path, origin.scope, call, known.library))
        return tuple(found), complete

    def _making(self, path: str, scope: int, call: Call, library: _Library) -> model.Making:
        opaque = any(arg.star for arg in call.args)
        given: list[tuple[str, Expr]]
        if isinstance(call.func, Attr) and call.func.name == "lock" and library == "redis-py":
            bound = bind(kinds.method(_CLIENT, "lock"), call)
            given, opaque = list(bound.given), bound.opaque
        else:
            given = _named(call, _PARAMETERS[library])
            # a class of the project's own below the library's has a signature of its own
            opaque = opaque or not self._of_library(path, scope, call.func)
        return model.Making(path, Span(*call.span), library, self._described(path, scope, given), opaque)

    def _of_library(self, path: str, scope: int, func: Expr) -> bool:
        return any(isinstance(value.object, Library) for value in self._inf.values(path, scope, func))

    def arguments(
        self, path: str, scope: int, call: Call, lock: Lock
    ) -> tuple[tuple[str, model.Argument], ...]:
        """The arguments of a method of a lock, by parameter."""
        name = call.func.name if isinstance(call.func, Attr) else ""
        if lock.library == "redis-py":
            return self._described(
                path,
                scope,
                list(bind(kinds.method(RedisObject("lock", lock.asynchronous, ""), name), call).given),
            )
        return self._described(path, scope, _named(call, _ACQUIRE.get(lock.library, ("blocking",))))

    def _described(
        self, path: str, scope: int, given: list[tuple[str, Expr]]
    ) -> tuple[tuple[str, model.Argument], ...]:
        return tuple((name, self._arguments.describe(path, scope, value)) for name, value in given)


def _bare(expr: Expr | None) -> Expr | None:
    while isinstance(expr, (Await, Walrus)):
        expr = expr.value
    return expr


def _named(call: Call, parameters: tuple[str, ...]) -> list[tuple[str, Expr]]:
    given: list[tuple[str, Expr]] = []
    for number, arg in enumerate(call.args):
        if arg.keyword is not None:
            given.append((arg.keyword, arg.value))
        elif not arg.star:
            given.append((parameters[number] if number < len(parameters) else f"args.{number}", arg.value))
    return given
