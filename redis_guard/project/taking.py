"""What becomes of the results of one module's calls, function by function.

Law of this file: it brings together; only functions that hold a Redis call are looked at, and each once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from redis_guard.facts.model import Arg, Attr, Await, Call, Compare, Const, Expr, Name, Sub, Yield
from redis_guard.project.arguments import Arguments
from redis_guard.project.catching import Catching
from redis_guard.project.guards import Guards
from redis_guard.project.inference import Inference
from redis_guard.project.model import Place
from redis_guard.project.places import Places
from redis_guard.project.runtime import COORDINATION
from redis_guard.project.sites import Use
from redis_guard.project.taken import Comparison, Context, Handed, Operand, Taken
from redis_guard.project.takings import Takings
from redis_guard.project.values import Library, LibraryInstance, Method, RedisObject
from redis_guard.project.walk import dotted, every, last_name, text


class Taking:
    """Answers for the calls of one module."""

    def __init__(
        self,
        inf: Inference,
        arguments: Arguments,
        catching: Catching,
        places: Places,
        path: str,
        placed: Sequence[tuple[Use, Place]],
    ) -> None:
        self._inf = inf
        self._arguments = arguments
        self._catching = catching
        self._path = path
        self._scopes = inf.index.modules[path].scopes
        self._places = places
        orders: dict[int, dict[int, int]] = defaultdict(dict)
        for use, place in placed:
            if use.root >= 0:
                orders[use.scope][id(use.expr)] = place.order
        self._orders: Mapping[int, Mapping[int, int]] = orders
        self._takings: dict[int, Takings] = {}
        self._guards: dict[int, Guards] = {}

    def of(self, scope: int, expr: Expr) -> tuple[Taken, ...]:
        """The calls whose results take part in `expr`."""
        return tuple(sorted(self.takings(scope).of(expr)))

    def takings(self, scope: int) -> Takings:
        if scope not in self._takings:
            self._takings[scope] = Takings(self._scopes[scope], self._orders.get(scope, {}))
        return self._takings[scope]

    def guards(self, scope: int) -> Guards:
        if scope not in self._guards:
            self._guards[scope] = Guards(
                self._scopes[scope],
                self.takings(scope),
                self._places.outcomes(scope),
                lambda expr: self._context(scope, expr),
                lambda catches: self._catching.names(self._path, scope, catches),
                lambda expr: self._catching.suppressed(self._path, scope, expr),
            )
        return self._guards[scope]

    def _context(self, scope: int, expr: Expr) -> Context:
        inner = expr.value if isinstance(expr, Await) else expr
        name = last_name(inner) or ""
        for value in self._inf.values(self._path, scope, inner):
            match value.object:
                case RedisObject(kind=kind):
                    return Context(text(expr), name, kind)
                case LibraryInstance(name=made):
                    return Context(text(expr), made, "")
        if isinstance(inner, Call):
            for value in self._inf.values(self._path, scope, inner.func):
                if isinstance(value.object, Method) and value.object.owner.kind == COORDINATION:
                    return Context(text(expr), value.object.name, COORDINATION)
        return Context(text(expr), name, "")

    def comparisons(self) -> Iterator[Comparison]:
        """Every comparison in which a result takes part."""
        for scope, node in self._nodes():
            if isinstance(node, Compare) and self.of(scope, node):
                left = node.left
                for operator, right in zip(node.ops, node.rights, strict=True):
                    sides = self._operand(scope, left), self._operand(scope, right)
                    if sides[0].takes or sides[1].takes:
                        yield Comparison(scope, node.span, operator, *sides)
                    left = right

    def handed(self) -> Iterator[Handed]:
        """Every call, but for those on Redis objects, that is given a result; every result that is given back."""
        yield from self._given_back()
        for scope, node in self._nodes():
            if not isinstance(node, Call) or id(node) in self._orders[scope]:
                continue
            takes = {taken for arg in node.args for taken in self.takings(scope).of(arg.value)}
            if not takes:
                continue
            # `map(pickle.loads, values)` hands them to both
            called = (node.func, *(arg.value for arg in node.args if isinstance(arg.value, (Attr, Name))))
            foreign = tuple(filter(None, (self._foreign(scope, func) for func in called)))
            for callee in foreign:
                yield Handed(scope, node.span, callee, tuple(sorted(takes)))
            if not foreign:
                written = dotted(node.func) or last_name(node.func) or ""
                yield Handed(scope, node.span, written, tuple(sorted(takes)), "function")

    def _given_back(self) -> Iterator[Handed]:
        for scope in sorted(self._orders):
            for root in self._scopes[scope].roots:
                given = [root.expr] if root.use == "return" else []
                given += [node.value for node in every(root.expr) if isinstance(node, Yield) and node.value]
                for expr in given:
                    if takes := self.of(scope, expr):
                        span = (root.line, 1, root.line, 1)
                        yield Handed(scope, span, "", takes, "caller")

    def _nodes(self) -> Iterator[tuple[int, Expr]]:
        for scope in sorted(self._orders):
            for root in self._scopes[scope].roots:
                for node in every(root.expr):
                    yield scope, node

    def _foreign(self, scope: int, func: Expr) -> str | None:
        for value in self._inf.values(self._path, scope, func):
            if isinstance(value.object, (Library, LibraryInstance)):
                return value.object.name
        return None

    def _operand(self, scope: int, expr: Expr) -> Operand:
        known = self._arguments.describe(self._path, scope, expr)
        takes = self.of(scope, expr)
        item = self._item(scope, expr) if takes else ""
        kinds = frozenset() if takes else self._kinds(scope, expr)
        return Operand(text(expr), takes, known.constants, known.kind, kinds, item, known.some)

    def _kinds(self, scope: int, expr: Expr) -> frozenset[str]:
        """The kinds of all items of a display, here or where the name was given it."""
        displays = self._arguments.displays(self._path, scope, expr)
        return frozenset(
            self._arguments.describe(path, where, item).kind
            for path, where, display in displays
            for item in display.items
        )

    def _item(self, scope: int, expr: Expr) -> str:
        """The constant name in the last look-up, through one binding."""
        if isinstance(expr, Name) and len(expr.defs) == 1:
            made = self._scopes[scope].defs[expr.defs[0]]
            if made.kind == "assign" and made.value is not None and not made.unpack:
                expr = made.value
        match expr:
            case Sub(index=Const(value=str() as name)):
                return name
            case Call(func=Attr(name="get"), args=(Arg(value=Const(value=str() as name)), *_)):
                return name
        return ""
