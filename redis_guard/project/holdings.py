"""Locks and what the functions that take them do with them.

Law of this file: it brings together; a module without a lock costs one look at its calls.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from redis_guard.facts.model import Attr, Call, Expr, Name, Walrus
from redis_guard.finding import Span
from redis_guard.project import model
from redis_guard.project.inference import Inference
from redis_guard.project.lock_objects import METHODS, TAKING, Lock, LockObjects
from redis_guard.project.meanwhile import Meanwhile
from redis_guard.project.places import Places
from redis_guard.project.taking import Taking
from redis_guard.project.templates import Templates
from redis_guard.project.walk import every, text

_FOREIGN = "redis_lock"
_LEAVING = frozenset({"argument", "assigned", "returned", "stored", "collected", "yielded", "other"})


class _Use(NamedTuple):
    root: int
    call: Call
    lock: Lock


class Holdings:
    """Finds the locks of one module."""

    def __init__(
        self,
        inf: Inference,
        templates: Templates,
        objects: LockObjects,
        places: Places,
        meanwhile: Meanwhile,
        taking: Taking,
        path: str,
    ) -> None:
        self._inf = inf
        self._templates = templates
        self._objects = objects
        self._places = places
        self._meanwhile = meanwhile
        self._taking = taking
        self._path = path
        self._scopes = inf.index.modules[path].scopes

    def find(
        self, calls: Iterable[model.Call], built: Iterable[model.Construction]
    ) -> tuple[model.Held, ...]:
        if not self._may_hold(calls, built):
            return ()
        return tuple(held for number in range(len(self._scopes)) for held in self._of_function(number))

    def _may_hold(self, calls: Iterable[model.Call], built: Iterable[model.Construction]) -> bool:
        if any(call.kind == "lock" or (call.facts and call.facts.family == "lock") for call in calls):
            return True
        if any(made.kind == "lock" for made in built):
            return True
        imports = self._inf.index.imports(self._path)
        return _FOREIGN in imports or ("django" in imports and self._calls_lock())

    def _calls_lock(self) -> bool:
        points = self._inf.index.tables[self._path].points
        return any(
            isinstance(expr, Call) and isinstance(expr.func, Attr) and expr.func.name == "lock"
            for rows in points
            for _, expr in rows
        )

    def _of_function(self, scope: int) -> Iterator[model.Held]:
        uses: defaultdict[str, list[_Use]] = defaultdict(list)
        entered: defaultdict[str, list[tuple[int, Expr, Lock]]] = defaultdict(list)
        for root, expr in self._inf.index.tables[self._path].points[scope]:
            if isinstance(expr, Call) and isinstance(expr.func, Attr) and expr.func.name in METHODS:
                if (lock := self._objects.of(self._path, scope, expr.func.value)) is not None:
                    uses[self._identity(scope, expr.func.value)].append(_Use(root, expr, lock))
        for number, construct in enumerate(self._scopes[scope].constructs):
            if construct.kind == "with":
                for root in construct.roots:
                    made = self._scopes[scope].roots[root].expr
                    if (lock := self._objects.of(self._path, scope, made)) is not None:
                        entered[self._identity(scope, made)].append((number, made, lock))
        taken = [*entered, *(key for key, found in uses.items() if any(_takes(use.call) for use in found))]
        if not taken:
            return
        work = self._meanwhile.of(scope)
        for identity in dict.fromkeys(taken):
            yield self._held(scope, identity, uses[identity], entered[identity], work)

    def _identity(self, scope: int, expr: Expr) -> str:
        while isinstance(expr, Walrus):
            expr = expr.value
        return self._templates.identity(self._path, scope, expr)

    def _held(
        self,
        scope: int,
        identity: str,
        uses: list[_Use],
        entered: list[tuple[int, Expr, Lock]],
        work: tuple[model.Work, ...],
    ) -> model.Held:
        first = uses[0].call.func.value if uses and isinstance(uses[0].call.func, Attr) else entered[0][1]
        lock = uses[0].lock if uses else entered[0][2]
        makings, complete = self._objects.makings(self._path, scope, first)
        own = {Span(*use.call.span) for use in uses} | {making.span for making in makings}
        return model.Held(
            path=self._path,
            text=text(first),
            identity=identity,
            function=self._places.function(scope),
            asynchronous=lock.asynchronous,
            confidence=lock.confidence,
            entered=tuple(number for number, _, _ in entered),
            uses=tuple(
                self._use(scope, use) for use in sorted(uses, key=lambda use: self._order(scope, use))
            ),
            makings=makings,
            all_makings=complete,
            handed_on=self._handed_on(scope, first, identity),
            work=tuple(one for one in work if one.span not in own),
        )

    def _order(self, scope: int, use: _Use) -> int:
        return self._places.place(scope, use.root, use.call).order

    def _use(self, scope: int, use: _Use) -> model.LockUse:
        assert isinstance(use.call.func, Attr)
        return model.LockUse(
            use.call.func.name,
            Span(*use.call.span),
            self._places.place(scope, use.root, use.call),
            self._places.outcomes(scope).result(use.root, use.call),
            self._objects.arguments(self._path, scope, use.call, use.lock),
            self._taking.guards(scope).every(use.root, use.call),
        )

    def _handed_on(self, scope: int, lock: Expr, identity: str) -> bool:
        """Somebody else gets the lock itself, or one of its methods uncalled; or an inner function reads it."""
        if isinstance(lock, Name) and lock.defs and self._read_inside(scope, lock.id):
            return True
        last = lock.id if isinstance(lock, Name) else lock.name if isinstance(lock, Attr) else None
        if last is None:
            return False
        for number, root in enumerate(self._scopes[scope].roots):
            for node in every(root.expr):
                same = (isinstance(node, Name) and node.id == last) or (
                    isinstance(node, Attr) and node.name == last
                )
                if same and self._identity(scope, node) == identity and self._leaves(scope, number, node):
                    return True
        return False

    def _leaves(self, scope: int, root: int, node: Expr) -> bool:
        parents = self._places.outcomes(scope).parents(root)
        use = parents.use(node)
        if use.use != "chained":
            return use.use in _LEAVING
        method = parents.of.get(id(node))
        return isinstance(method, Attr) and method.name in METHODS and parents.use(method).callee != "()"

    def _read_inside(self, scope: int, name: str) -> bool:
        free = self._inf.index.tables[self._path].free
        for inner, names in enumerate(free):
            outer = self._scopes[inner].parent
            while names and outer >= 0 and name in names:
                if outer == scope:
                    return True
                outer = self._scopes[outer].parent
        return False


def _takes(call: Call) -> bool:
    return isinstance(call.func, Attr) and call.func.name in TAKING
