"""Which objects an expression may be, asked backwards from its use.

Law of this file: nothing is computed that nobody asks for; every answer is bounded (depth, steps), and a
question that comes back to itself answers nothing rather than looping.
"""

import builtins
from collections.abc import Callable, Hashable

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Comp,
    Compare,
    Cond,
    Const,
    Def,
    Dict,
    Expr,
    Joined,
    Lambda,
    Name,
    Seq,
    Star,
    Sub,
    Unary,
    Walrus,
    Yield,
)
from redis_guard.project import (
    annotations,
    attributes,
    calling,
    containers,
    guessing,
    parameters,
    returning,
    runtime,
    unwrapping,
)
from redis_guard.project.index import ProjectIndex
from redis_guard.project.memory import Memory
from redis_guard.project.passing import Passing
from redis_guard.project.values import (
    CERTAIN,
    GUESSED,
    LIKELY,
    NOTHING,
    ClassObject,
    Function,
    Library,
    ModuleObject,
    Plain,
    RedisObject,
    ScopeRef,
    Value,
    Values,
    has_redis,
    join,
    one,
    through,
)

_BUILT_INS = frozenset(dir(builtins))
_ASKED = (Attr, Call, Sub, Seq, Dict, Comp)
_TEXT = one(Plain("str"))
_TRUTH = one(Plain("bool"))


class Inference:
    """Answers over one project index, remembered."""

    def __init__(
        self,
        index: ProjectIndex,
        *,
        clients: frozenset[str] = frozenset(),
        not_clients: frozenset[str] = frozenset(),
        coordination: str = "",
    ) -> None:
        """`clients`, `not_clients` and `coordination` are dotted names that the configuration explains."""
        self.index = index
        self.clients = clients
        self.not_clients = not_clients
        self.coordination = coordination
        self.wanted: set[str] = set()
        """Files of the project that an answer would have needed and that are not loaded."""
        self.method_names: dict[str, bool] = {}
        self._memory = Memory()
        self._known = self._memory.known
        self._builtins: dict[str, Values] = {}
        self._yields: dict[ScopeRef, tuple[Yield, ...]] = {}
        self.lines: dict[ScopeRef, tuple[ScopeRef | str, ...]] = {}
        """Of classes, all that they are made of, where that is settled."""
        self.passing: dict[ScopeRef, Passing] = {}
        """Of functions, what they may give back of what they are given."""

    @property
    def given_up(self) -> int:
        """Questions that needed more work than one question may take."""
        return self._memory.given_up

    def remembered(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        return self._memory.remembered(key, compute)

    def settled(self, key: Hashable) -> bool:
        """Whether the answer to a question counts, whatever comes."""
        return key in self._known

    # -- expressions

    def values(self, path: str, scope: int, expr: Expr) -> Values:
        """What `expr`, evaluated in that scope, may be."""
        if isinstance(expr, Name):
            if len(expr.defs) == 1:
                found = self.definition(path, scope, expr.defs[0])
            elif expr.defs:
                found = join(*[self.definition(path, scope, number) for number in expr.defs])
            else:
                found = self.free_name(path, scope, expr.id)
            return containers.filled(self, path, scope, expr, found) if found else found
        if isinstance(expr, _ASKED):
            known = self._known.get(id(expr))
            if known is None:
                known = self._memory.remembered(id(expr), lambda: self._asked(path, scope, expr))
            return containers.filled(self, path, scope, expr, known) if isinstance(expr, Attr) else known
        if isinstance(expr, Const):
            if expr.value is None:
                return NOTHING
            value = expr.value
            spelled = value if isinstance(value, str) and value.replace(".", "_").isidentifier() else ""
            return one(Plain(type(value).__name__, spelled))
        return self._composed(path, scope, expr)

    def _asked(self, path: str, scope: int, expr: Expr) -> Values:
        """Expressions whose answers are remembered."""
        match expr:
            case Attr():
                return attributes.of_expression(self, path, scope, expr)
            case Call():
                return calling.result(self, path, scope, expr)
            case Sub():
                return containers.item(self, path, scope, expr)
            case Seq() | Dict() | Comp():
                return containers.display(self, path, scope, expr)
        return NOTHING

    def _composed(self, path: str, scope: int, expr: Expr) -> Values:
        """Expressions that are what their parts are."""
        match expr:
            case Joined():
                return _TEXT
            case Compare() | Unary():
                return _TRUTH
            case Walrus(value=value) | Star(value=value):
                return self.values(path, scope, value)
            case (
                Cond(body=left, orelse=right)
                | Bool(op="or", left=left, right=right)
                | Bin(left=left, right=right)
            ):
                return join(self.values(path, scope, left), self.values(path, scope, right))
            case Bool(right=right):
                return self.values(path, scope, right)
            case Await(value=value):
                return unwrapping.awaited(self.values(path, scope, value))
            case Lambda(scope=number):
                return one(Function(ScopeRef(path, number)))
        return NOTHING

    # -- names

    def free_name(self, path: str, scope: int, name: str) -> Values:
        """What `name` means outside its own scope: enclosing scopes, star imports, built-ins."""
        scopes = self.index.modules[path].scopes
        number = scope
        while number >= 0:
            if number == scope or scopes[number].kind != "class":
                members = self.index.definitions(path, number)
                if name in members:
                    return self._every(path, number, name, members[name])
            number = scopes[number].parent
        for module in self.index.modules[path].star_imports:
            if name in _BUILT_INS and self.index.names.find(path, module) is None:
                continue  # hardly any package replaces them
            if found := self.imported(path, module, name):
                return found
        if (built_in := self._builtins.get(name)) is None:
            built_in = self._builtins[name] = one(Library(f"builtins.{name}"))
        return built_in

    def member(self, path: str, name: str) -> Values:
        """The top-level name `name` of the module at `path`, or its submodule of that name."""
        if path not in self.index.modules:
            self.wanted.add(path)
            submodule = self.index.names.submodule(path, name)
            return NOTHING if submodule is None else one(ModuleObject(submodule))
        members = self.index.definitions(path, 0)
        if name in members and (
            held := self.remembered((path, 0, name), lambda: self._all(path, 0, members[name]))
        ):
            return held
        if (submodule := self.index.names.submodule(path, name)) is not None:
            return one(ModuleObject(submodule))
        for module in self.index.modules[path].star_imports:
            key = (path, "star", module, name)
            if found := self.remembered(key, lambda module=module: self.imported(path, module, name)):  # type: ignore[misc]
                return found
        return NOTHING

    def _every(self, path: str, scope: int, name: str, numbers: list[int]) -> Values:
        key = (path, scope, name)
        if (known := self._known.get(key)) is not None:
            return known
        return self._memory.remembered(key, lambda: self._all(path, scope, numbers))

    def _all(self, path: str, scope: int, numbers: list[int]) -> Values:
        return join(*(self.definition(path, scope, number) for number in numbers))

    def imported(self, importer: str, module: str, symbol: str | None) -> Values:
        """What `import module` or `from module import symbol` in the file `importer` binds."""
        found = self.index.names.find(importer, module)
        if found is None:
            full = module.lstrip(".") if symbol is None else f"{module.lstrip('.')}.{symbol}"
            return self.configured({full}, one(Library(full)))
        if symbol is None:
            return one(ModuleObject(found))
        return self.member(found, symbol)

    # -- definitions

    def definition(self, path: str, scope: int, number: int) -> Values:
        """What the definition `number` of a scope binds."""
        key = (path, scope, number)
        if (known := self._known.get(key)) is not None:
            return known
        if scope == 0 and self.coordination:
            return self._memory.remembered(key, lambda: self._top_level(path, number))
        return self._memory.remembered(key, lambda: self._definition(path, scope, number))

    def _top_level(self, path: str, number: int) -> Values:
        name = self.index.modules[path].scopes[0].defs[number].name
        return self.configured({f"{attributes.module_name(path)}.{name}"}, self._definition(path, 0, number))

    def _definition(self, path: str, scope: int, number: int) -> Values:
        made = self.index.modules[path].scopes[scope].defs[number]
        match made.kind:
            case "import":
                return self._import(path, made)
            case "function":
                return one(Function(ScopeRef(path, made.target)))
            case "class":
                return one(ClassObject(ScopeRef(path, made.target)))
            case "parameter":
                return parameters.values(self, ScopeRef(path, scope), made)
            case "merged":
                return join(*(self.definition(path, scope, source) for source in made.sources))
            case "for":
                found = containers.elements(self, path, made.scope, made.value, self._value(path, made))
                return containers.unpacked(found, made.unpack)
            case "with":
                return containers.unpacked(unwrapping.entered(self, self._value(path, made)), made.unpack)
            case "assign" | "augmented" | "declared":
                return self.assigned(path, made)
        return NOTHING

    def _value(self, path: str, made: Def) -> Values:
        return NOTHING if made.value is None else self.values(path, made.scope, made.value)

    def assigned(self, path: str, made: Def) -> Values:
        """The value of an assignment; an annotation speaks where the value does not."""
        found = containers.unpacked(self._value(path, made), made.unpack)
        if made.annotation is None or has_redis(found, LIKELY):
            return found
        declared = self.annotation(path, made.scope, made.annotation)
        if declared and has_redis(found):
            found = tuple(v for v in found if v.grade > GUESSED)
        return join(through(declared, f"{made.name} annotated"), found) if declared else found

    def _import(self, path: str, made: Def) -> Values:
        found = self.imported(path, made.module, made.symbol)
        found = join(found, guessing.imported(self, path, made.symbol, found))
        names = {f"{made.module}.{made.symbol}" if made.symbol else made.module}
        return self.configured(names, found)

    def configured(self, names: set[str], found: Values) -> Values:
        """`clients`, `not-clients` and `coordination` of the configuration have the last word on a dotted name."""
        if self.not_clients & names:
            return one(Plain("not-client"))
        if self.clients & names:
            name = next(iter(self.clients & names))
            return one(RedisObject("client", False, name), how=f"{name} is configured as a client")
        if self.coordination and any(self._names_coordination(name) for name in names):
            known = tuple(
                v
                for v in found
                if isinstance(v.object, RedisObject) and v.object.kind == runtime.COORDINATION
            )
            return known or one(
                runtime.CONFIGURED, how=f"{self.coordination} is configured as the coordination"
            )
        return found

    def _names_coordination(self, name: str) -> bool:
        """Names of files begin with their source root, which imports leave out."""
        return name == self.coordination or name.endswith(f".{self.coordination}")

    # -- what the parts ask of each other (see asking.py)

    def annotation(self, path: str, scope: int, expr: Expr) -> Values:
        return self.remembered((id(expr), "annotation"), lambda: annotations.values(self, path, scope, expr))

    def attribute(self, value: Value, name: str) -> Values:
        # the object is remembered, never the way that the first asker came by it
        held = value.object
        key = (held, "attribute", name)
        found = self._known.get(key)
        if found is None:
            found = self._memory.remembered(key, lambda: attributes.of_object(self, Value(held), name))
        if value.grade == CERTAIN and not value.how:
            return found
        return tuple(Value(v.object, min(v.grade, value.grade), v.how or value.how) for v in found)

    def called(self, value: Value, call: Call | None, path: str, scope: int) -> Values:
        return calling.of_object(self, value, call, path, scope)

    def named(self, path: str, dotted: str) -> Values:
        """The module or member that a dotted path in a string names, as import_string() reads it."""
        module, _, symbol = dotted.rpartition(".")
        if module and self.index.names.find(path, module) is not None:
            return self.imported(path, module, symbol)
        return self.imported(path, dotted, None)

    def elements(self, path: str, scope: int, expr: Expr | None, values: Values) -> Values:
        return containers.elements(self, path, scope, expr, values)

    # -- what functions give

    def yields(self, ref: ScopeRef) -> tuple[Yield, ...]:
        if ref not in self._yields:
            own = self.index.tables.get(ref.path)
            self._yields[ref] = tuple(own.yields.get(ref.scope, ())) if own is not None else ()
        return self._yields[ref]

    def returned(self, ref: ScopeRef) -> Values:
        """What calling the function gives, before await, iteration or entering."""
        return self.remembered((ref, "returned"), lambda: returning.returned(self, ref))
