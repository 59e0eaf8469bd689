"""What a function does: its calls, `yield`s and `raise`s, how long they last, and who catches what they raise.

Law of this file: asked for functions that hold a lock, and for no others.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Await, Call, Expr, ModuleFacts, Name, Root, Yield
from redis_guard.finding import Span
from redis_guard.project import model
from redis_guard.project.inference import Inference
from redis_guard.project.lasting import Lasting
from redis_guard.project.places import Places
from redis_guard.project.taking import Taking
from redis_guard.project.values import Function, ScopeRef
from redis_guard.project.walk import every, last_name, text

_BROAD = frozenset({"Exception", "BaseException"})
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "msg"})
_QUICK = frozenset(
    (
        *("print", "len", "str", "repr", "bool", "int", "float", "max", "min", "abs", "round", "isinstance"),
        *("format", "append", "join", "bind", "time", "monotonic", "perf_counter", "now", "utcnow"),
    )
)


class Meanwhile:
    """Answers for one module."""

    def __init__(
        self, inf: Inference, lasting: Lasting, places: Places, taking: Taking, module: ModuleFacts
    ) -> None:
        self._inf = inf
        self._lasting = lasting
        self._places = places
        self._taking = taking
        self._module = module

    def of(self, scope: int) -> tuple[model.Work, ...]:
        """In the order of evaluation."""
        found = [
            self._work(scope, number, root, node, raised)
            for number, root in enumerate(self._module.scopes[scope].roots)
            for node, raised in _doings(root)
        ]
        return tuple(sorted(found, key=lambda work: work.place.order))

    def _work(self, scope: int, number: int, root: Root, node: Expr, raised: bool) -> model.Work:
        seconds, sleeps = None, False
        if isinstance(node, Call) and not raised:
            parent = self._places.outcomes(scope).parents(number).of.get(id(node))
            seconds, sleeps = self._lasts(scope, node, isinstance(parent, Await))
        span = Span(*node.span) if isinstance(node, Call) else Span(root.line, 1, root.line, 2)
        said = f"raise {text(node)}" if raised else "yield" if isinstance(node, Yield) else text(node)
        return model.Work(
            said, span, self._places.place(scope, number, node), isinstance(node, Call) and not raised and _quick(node),
            seconds, sleeps, self._turns(scope, root), self._catches(scope, root),
            self._taking.guards(scope).every(number, node),
        )  # fmt: skip

    def _lasts(self, scope: int, call: Call, awaited: bool) -> tuple[float | None, bool]:
        path = self._module.path
        seconds, sleeps = self._lasting.of(path, scope, call, awaited=awaited)
        if seconds is not None:
            return seconds, sleeps
        values = self._inf.values(path, scope, call.func)
        if len(values) != 1 or not isinstance(helper := values[0].object, Function):
            return None, False
        return self._inside(helper.ref, awaited)

    def _inside(self, ref: ScopeRef, awaited: bool) -> tuple[float | None, bool]:
        """What one call of a helper surely comes to: its sleeps and waits outside branches and loops."""
        scope = self._inf.index.scope(ref)
        if scope.kind != "function" or scope.generator or scope.asynchronous != awaited:
            return None, False
        found: list[tuple[float | None, bool]] = []
        for root in scope.roots:
            if all(
                scope.constructs[step.construct].kind in ("with", "try") and not step.arm
                for step in root.path
            ):
                nodes = tuple(every(root.expr))
                awaits = {id(node.value) for node in nodes if isinstance(node, Await)}
                found += [
                    self._lasting.of(ref.path, ref.scope, node, awaited=id(node) in awaits)
                    for node in nodes
                    if isinstance(node, Call)
                ]
        lasting = [(seconds, sleeps) for seconds, sleeps in found if seconds is not None]
        if not lasting:
            return None, False
        return sum(seconds for seconds, _ in lasting), all(sleeps for _, sleeps in lasting)

    def _turns(self, scope: int, root: Root) -> tuple[tuple[int, int], ...]:
        facts = self._module.scopes[scope]
        found = []
        for step in reversed(root.path):
            if facts.constructs[step.construct].kind == "for" and step.arm == 0:
                turns = self._lasting.turns(facts, self._module.path, scope, step.construct)
                if turns is not None:
                    found.append((step.construct, turns))
        return tuple(found)

    def _catches(self, scope: int, root: Root) -> tuple[model.Catch, ...]:
        found = []
        for step in reversed(root.path):
            known = self._module.scopes[scope].constructs[step.construct]
            if known.kind == "try" and step.arm == 0:
                for arm, caught in enumerate(known.catches, start=1):
                    broad = caught is None or bool(_BROAD & set(_names(caught)))
                    found.append(model.Catch(step.construct, arm, broad, known.ends[arm]))
        return tuple(found)


def _names(caught: Expr) -> Iterator[str]:
    return (name for part in every(caught) if (name := last_name(part)))


def _doings(root: Root) -> Iterator[tuple[Expr, bool]]:
    """What may fail or last, and whether it is the `raise` itself."""
    if root.use in ("raise", "assert"):
        yield root.expr, True
        return
    for node in every(root.expr):
        if isinstance(node, (Call, Yield)):
            yield node, False


def _quick(call: Call) -> bool:
    name = last_name(call.func) or ""
    if isinstance(call.func, Attr) and name in _LEVELS:
        return "log" in (last_name(call.func.value) or "").lower()
    return name in _QUICK and isinstance(call.func, (Name, Attr))
