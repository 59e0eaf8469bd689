"""What handlers catch, by the last names of the exception classes.

Law of this file: the name as written always counts; what it stands for counts as well, where that can be seen.
"""

from collections.abc import Iterable, Iterator

from redis_guard.facts.model import Attr, Await, Call, Expr, Name, Seq
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.values import ClassObject, Library, ScopeRef
from redis_guard.project.walk import last_name

_PLAIN = ("Error", "Exception")
"""A class that is named like this is taken by its name: to look behind every handler costs too much."""


class Catching:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins) -> None:
        self._inf = inf
        self._origins = origins

    def names(self, path: str, scope: int, catches: Iterable[Expr | None]) -> Iterator[str]:
        """The classes that handlers name; a bare `except` is `BaseException`."""
        for caught in catches:
            if caught is None:
                yield "BaseException"
                continue
            for part in caught.items if isinstance(caught, Seq) else (caught,):
                name = last_name(part)
                if name is not None:
                    yield name
                if isinstance(part, (Name, Attr)) and not (name or "").endswith(_PLAIN):
                    yield from self._meant(path, scope, part)

    def suppressed(self, path: str, scope: int, context: Expr) -> Iterator[str]:
        """The classes that `contextlib.suppress(…)` lets vanish; none for another context."""
        made = context.value if isinstance(context, Await) else context
        if isinstance(made, Call) and last_name(made.func) == "suppress":
            yield from self.names(path, scope, tuple(arg.value for arg in made.args))

    def _meant(self, path: str, scope: int, expr: Name | Attr) -> Iterator[str]:
        """What stands behind an alias, or behind a name for several."""
        for value in self._inf.values(path, scope, expr):
            match value.object:
                case Library(name=name):
                    yield name.rpartition(".")[2]
                case ClassObject(ref=ref):
                    for base in classes.bases(self._inf, ref):
                        named = self._inf.index.scope(base).name if isinstance(base, ScopeRef) else base
                        yield named.rpartition(".")[2]
        for origin in self._origins.trail(path, scope, expr).origins:
            if isinstance(origin.expr, Seq):
                yield from filter(None, map(last_name, origin.expr.items))


def caught_names(catches: Iterable[Expr | None]) -> Iterator[str]:
    """The names of the classes as written, without a look at what they stand for."""
    for caught in catches:
        if caught is None:
            yield "BaseException"
        else:
            yield from filter(None, map(last_name, caught.items if isinstance(caught, Seq) else (caught,)))
