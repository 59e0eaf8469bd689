"""The literal URLs that a client is built with.

Law of this file: what is written in the project: the text itself, a default, or what a look-up falls back on. A part
that is decided at run time is `\\0`.
"""

from collections.abc import Callable, Iterable, Iterator

from redis_guard.facts.model import Arg, Bool, Call, Cond, Const, Expr
from redis_guard.project.inference import Inference
from redis_guard.project.spelled import Here, Said
from redis_guard.project.spellings import Spellings
from redis_guard.project.templates import Templates
from redis_guard.project.walk import last_name

_DEPTH = 4
_NOT_URLS = frozenset(
    {"password", "host", "port", "db", "decode_responses", "max_connections", "socket_timeout"}
)
_TEXTS = frozenset({"format", "join", "str", "encode", "decode", "strip"})
_SCHEME = "://"


class Urls:
    """Answers over one project."""

    def __init__(self, inf: Inference, templates: Templates, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._templates = templates
        self._spellings = Spellings(inf, templates.origins, is_test)

    def of(self, path: str, scope: int, args: Iterable[Arg]) -> tuple[str, ...]:
        """The URLs among the arguments of a construction."""
        found = (
            url
            for arg in args
            if not arg.star and arg.keyword not in _NOT_URLS
            for url in self._of(path, scope, arg.value, 0)
        )
        return tuple(dict.fromkeys(url for url in found if _SCHEME in url))

    def _of(self, path: str, scope: int, expr: Expr, depth: int) -> Iterator[str]:
        if depth > _DEPTH:
            return
        trail = self._templates.origins.trail(path, scope, expr)
        for origin in trail.origins:
            match origin.expr:
                case None:
                    default = None if origin.parameter is None else origin.parameter.value
                    if default is not None:
                        around = self._inf.index.modules[origin.path].scopes[origin.scope].parent
                        yield from self._of(origin.path, around, default, depth + 1)
                case Bool(left=left, right=right) | Cond(body=left, orelse=right):
                    for side in (left, right):
                        yield from self._of(origin.path, origin.scope, side, depth + 1)
                case Call(func=func, args=args) if last_name(func) not in _TEXTS:
                    # `os.environ.get("REDIS_URL", "redis://…")`
                    yield from (
                        arg.value.value
                        for arg in args
                        if isinstance(arg.value, Const) and isinstance(arg.value.value, str)
                    )
                case known:
                    yield self._templates.key(origin.path, origin.scope, known).shape
        if any(origin.parameter is not None for origin in trail.origins):
            self._spellings.begin()
            said = self._spellings.of(Here(path, scope, Said(path, scope, (0, 0, 0, 0))), expr)
            yield from (text.text for text in said.texts)
