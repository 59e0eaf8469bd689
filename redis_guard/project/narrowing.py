"""Which values a variable can still have where it is used.

Law of this file: tests on the variable itself, in the same function, between its binding and the use. A value
is ruled out only where every way to the use has met such a test.
"""

from redis_guard.facts.model import Attr, Bool, Cond, Expr, Name, Scope, Step, Walrus
from redis_guard.project.index import ProjectIndex
from redis_guard.project.origins import leaves
from redis_guard.project.outcomes import Parents
from redis_guard.project.truth import Possible, Variable, outcomes
from redis_guard.project.walk import every, text

Way = tuple[Step, ...]


class Narrowing:
    """Answers over one project; each scope is read once, when first asked."""

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._bodies: dict[tuple[str, int], Body] = {}

    def passes(
        self, path: str, scope: int, expr: Name | Attr | Walrus, value: Possible, number: int = -1
    ) -> bool:
        """Whether `value` can reach this use of the variable, held since the definition `number` of the scope.

        For an attribute, and for a name of an enclosing scope, `number` is -1: held since the scope began.
        """
        if isinstance(expr, Walrus):
            return True
        body = self.body(path, scope)
        return body.passes(expr, value, number if isinstance(expr, Name) and expr.defs else -1)

    def reaches(self, path: str, scope: int, root: int, parameter: int, value: Possible) -> bool:
        """Whether a statement can be reached while a parameter still has `value`."""
        body = self.body(path, scope)
        name = body.scope.defs[parameter].name
        return body.reaches(root, body.variable(name, parameter), value, -1)

    def body(self, path: str, scope: int) -> "Body":
        if (path, scope) not in self._bodies:
            self._bodies[path, scope] = Body(self._index.modules[path].scopes[scope])
        return self._bodies[path, scope]


class Body:
    """One scope: which expression stands in which statement, which statements in which block."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._root_of: dict[int, int] = {}
        self._parents: dict[int, Parents] = {}
        self._bound_by: dict[int, int] = {}
        self._asserts: dict[Way, list[int]] = {}
        self._bindings: dict[tuple[Way, str], list[int]] = {}
        """Statements of a block that give a variable another value, whatever comes."""
        for number, root in enumerate(scope.roots):
            self._root_of.update((id(node), number) for node in every(root.expr))
            own = [made for made in root.defs if made >= 0]
            self._bound_by.update((made, number) for made in own)
            for made in own:
                self._bindings.setdefault((root.path, scope.defs[made].name), []).append(number)
            if root.use == "assert":
                self._asserts.setdefault(root.path, []).append(number)
        for store in scope.stores:
            if store.root >= 0 and isinstance(store.target, Attr):
                key = (scope.roots[store.root].path, text(store.target))
                self._bindings.setdefault(key, []).append(store.root)
        self._constructs: dict[Way, list[tuple[int, int]]] = {}
        for construct, (way, start) in self._beginnings().items():
            self._constructs.setdefault(way, []).append((start, construct))

    def _beginnings(self) -> dict[int, tuple[Way, int]]:
        """Of each compound statement: the block it stands in, and its first root."""
        found: dict[int, tuple[Way, int]] = {}
        for construct, made in enumerate(self.scope.constructs):
            if made.roots:
                found[construct] = (self.scope.roots[made.roots[0]].path, made.roots[0])
        for number, root in enumerate(self.scope.roots):
            for depth, step in enumerate(root.path):
                found.setdefault(step.construct, (root.path[:depth], number))
        return found

    def root_of(self, expr: Expr) -> int | None:
        """The statement's root in which an expression stands."""
        return self._root_of.get(id(expr))

    def variable(self, name: str, number: int) -> Variable:
        """The variable of that name while it holds the definition `number`."""

        def stands(expr: Expr) -> bool:
            if isinstance(expr, Name):
                return expr.id == name and (number < 0 or number in leaves(self.scope, expr.defs))
            return isinstance(expr, Attr) and "." in name and text(expr) == name

        def behind(other: Name) -> Expr | None:
            if len(other.defs) != 1:
                return None
            made = self.scope.defs[other.defs[0]]
            return made.value if made.kind == "assign" and not made.unpack else None

        return Variable(name, stands, behind)

    def passes(self, expr: Name | Attr, value: Possible, number: int) -> bool:
        root = self.root_of(expr)
        if root is None:
            return True
        variable = self.variable(text(expr), number)
        since = self._bound_by.get(number, -1)
        if since >= root:
            since = self._loop_around(since, root) - 1
        return self.reaches(root, variable, value, since) and self._inside(root, expr, variable, value)

    def _loop_around(self, binding: int, use: int) -> int:
        """The first root of the innermost loop that carries a binding round to a use above it."""
        around = {step.construct for step in self.scope.roots[binding].path}
        loops = [
            self.scope.constructs[step.construct].roots[0]
            for step in self.scope.roots[use].path
            if step.construct in around and self.scope.constructs[step.construct].kind in ("for", "while")
        ]
        return loops[-1] if loops else 0

    def reaches(self, root: int, variable: Variable, value: Possible, since: int) -> bool:
        """Whether the value gets from the root `since` to the root `root`."""
        way = self.scope.roots[root].path
        for depth in range(len(way) + 1):
            if not self._block(way[:depth], variable, value, since, root, way[depth : depth + 1]):
                return False
            if depth < len(way) and not self._enters(way[depth], variable, value, since):
                return False
        return True

    def _enters(self, step: Step, variable: Variable, value: Possible, since: int) -> bool:
        construct = self.scope.constructs[step.construct]
        if not construct.roots or construct.roots[0] <= since:
            return True
        head = self.scope.roots[construct.roots[0]].expr
        if construct.kind in ("if", "while"):
            return (step.arm == 0) in outcomes(head, variable, value)
        return not (construct.kind == "match" and variable.stands(head))

    def _block(
        self,
        way: Way,
        variable: Variable,
        value: Possible,
        since: int,
        until: int,
        into: tuple[Step, ...] = (),
    ) -> bool:
        """Whether the value passes the statements of a block that lie between two roots."""
        if any(since < root < until for root in self._bindings.get((way, variable.name), ())):
            return False
        for root in self._asserts.get(way, ()):
            if since < root < until and True not in outcomes(self.scope.roots[root].expr, variable, value):
                return False
        return all(
            self._passes_by(construct, way, variable, value, since, until)
            for start, construct in self._constructs.get(way, ())
            if since < start < until and not (into and into[0].construct == construct)
        )

    def _passes_by(
        self, number: int, way: Way, variable: Variable, value: Possible, since: int, until: int
    ) -> bool:
        """Whether the value comes out of a compound statement that stands before the use."""
        construct = self.scope.constructs[number]

        def through(arm: int) -> bool:
            ends = arm < len(construct.ends) and construct.ends[arm]
            return not ends and self._block((*way, Step(number, arm)), variable, value, since, until)

        match construct.kind:
            case "if":
                answers = outcomes(self.scope.roots[construct.roots[0]].expr, variable, value)
                return (True in answers and through(0)) or (False in answers and through(1))
            case "while":
                head = self.scope.roots[construct.roots[0]].expr
                about = any(variable.stands(node) for node in every(head))
                return not about or False in outcomes(head, variable, value)
            case "with":
                return through(0)
            case "try":
                last = len(construct.ends) - (2 if construct.has_finally else 1)
                kept = (through(0) and through(last)) or any(through(arm) for arm in range(1, last))
                return kept and (not construct.has_finally or through(last + 1))
            case "match":
                return not variable.stands(self.scope.roots[construct.roots[0]].expr)
        return True

    def _inside(self, root: int, expr: Expr, variable: Variable, value: Possible) -> bool:
        """`x if x else 60`, `x and f(x)` inside one expression."""
        if root not in self._parents:
            self._parents[root] = Parents(self.scope.roots[root])
        node = expr
        while (parent := self._parents[root].of.get(id(node))) is not None:
            match parent:
                case Cond(test=test, body=body, orelse=orelse) if node is not test:
                    taken = outcomes(test, variable, value)
                    if not ((node is body and True in taken) or (node is orelse and False in taken)):
                        return False
                case Bool(op=op, left=left, right=right) if node is right:
                    if (op == "and") not in outcomes(left, variable, value):
                        return False
            node = parent
        return True
