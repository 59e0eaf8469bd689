"""A key as one file writes it: literal text, and the expressions that fill what is between.

Law of this file: an expression is taken as it stands. How it is put into the key (as `str()` would, as a whole
number, joined as it is) is kept, and a format of its own is refused.
"""

import ast
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from redis_guard.fixes.program import Program
from redis_guard.migrate.bindings import (
    Function,
    assigned,
    bindings,
    class_of,
    scope_of,
)
from redis_guard.migrate.kinds import Kind, kind_of
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import Refused
from redis_guard.project.formats import Slot, fields, percent

Form = Literal["written", "joined", "number"]
"""written: as `str()` writes it. joined: text (or bytes) as it is. number: `%d`."""


@dataclass(frozen=True, slots=True)
class Filler:
    """An expression in a key."""

    text: str | None
    """As the call site can write it; None for one that belongs to another place."""
    kind: Kind | None
    form: Form
    local: bool
    """A variable of the function takes part in it, so that it is no constant."""
    moved: bool
    """It was computed before the call, and would be computed at the call."""
    node: ast.expr = field(compare=False)


Atom: TypeAlias = str | Filler

_BUILT_IN = frozenset({"str", "int", "len", "hex"})
_UTF8 = frozenset({"utf-8", "utf8", "UTF-8", "UTF8"})
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads keys in one place: a file, and what the parameters of a helper are given."""

    program: Program
    path: str
    lookup: Lookup
    given: "dict[str, tuple[ast.expr, Reader]]" = field(default_factory=dict)
    helper: bool = False
    moved: bool = False
    depth: int = 0

    def atoms(self, expr: ast.expr, form: Form = "joined") -> list[Atom]:
        """Raises Refused for a format that the runtime does not write."""
        if self.depth > _DEPTH:
            return [self._filler(expr, form)]
        match expr:
            case ast.Constant(value=str() as text):
                return [text] if text else []
            case ast.Constant(value=bytes() as raw) if raw.isascii():
                return [raw.decode()]
            case ast.Constant(value=int() as number) if not isinstance(number, bool) and form != "joined":
                return [str(number)]
            case ast.JoinedStr(values=values):
                return [atom for value in values for atom in self._formatted(value)]
            case ast.BinOp(op=ast.Add(), left=left, right=right) if self._textual(expr):
                return [*self.atoms(left), *self.atoms(right)]
            case ast.BinOp(op=ast.Mod(), left=left, right=right) if (pattern := self._text(left)) is not None:
                return self._percent(pattern, right)
            case ast.Name() | ast.Attribute():
                return self._followed(expr, form)
            case ast.Call():
                return self._call(expr, form)
        return [self._filler(expr, form)]

    def _textual(self, expr: ast.expr) -> bool:
        """It is text for certain, so that `+` joins and does not count: where one side is text, the other is too."""
        match expr:
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
                return True
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                return self._textual(left) or self._textual(right)
            case ast.BinOp(op=ast.Mod(), left=left):
                return self._textual(left)
            case (
                ast.Call(func=ast.Name(id="str"))
                | ast.Call(func=ast.Attribute(attr="format" | "join" | "encode"))
            ):
                return True
            case ast.Call():
                helped = self._helped(expr)
                return helped is not None and any(isinstance(atom, str) for atom in helped)
            case ast.Name(id=name) if name in self.given:
                value, reader = self.given[name]
                return replace(reader, depth=self.depth + 1)._textual(value)
            case ast.Name() | ast.Attribute():
                made = self._made(expr) if isinstance(expr, ast.Name) else None
                return self._text(expr) is not None or (made is not None and self._textual(made))
        return False

    def _formatted(self, value: ast.expr) -> list[Atom]:
        if not isinstance(value, ast.FormattedValue):
            return self.atoms(value)
        if value.format_spec is not None or value.conversion not in (-1, ord("s")):
            raise Refused(
                f"{{{ast.unparse(value.value)}}} has a format of its own, and the runtime writes str()"
            )
        return self.atoms(value.value, "written")

    def _percent(self, text: str, right: ast.expr) -> list[Atom]:
        values: dict[tuple[int, str], ast.expr]
        if isinstance(right, ast.Tuple):
            values = {(n, ""): each for n, each in enumerate(right.elts)}
        elif isinstance(right, ast.Dict):
            pairs = zip(right.keys, right.values, strict=True)
            values = {(-1, str(key.value)): each for key, each in pairs if isinstance(key, ast.Constant)}
        else:
            values = {(0, ""): right}
        found: list[Atom] = []
        for part in percent(text):
            if isinstance(part, str):
                found.append(part)
                continue
            said = text[part.start :].removeprefix(f"%({part.name})" if part.name else "%")[:1]
            value = values.get((part.position, part.name))
            if value is None or said not in ("s", "d", "i"):
                raise Refused(f'"{text}" has a format of its own, and the runtime writes str()')
            found += self.atoms(value, "written" if said == "s" else "number")
        return found

    def _format(self, text: str, call: ast.Call) -> list[Atom]:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        found: list[Atom] = []
        for part in fields(text):
            if isinstance(part, str):
                found.append(part)
                continue
            value = self._slot(part, call, named)
            if (
                value is None
                or text[part.start + 1 + len(part.name) : part.start + 2 + len(part.name)] != "}"
            ):
                raise Refused(f'"{text}" has a format of its own, and the runtime writes str()')
            found += self.atoms(value, "written")
        return found

    @staticmethod
    def _slot(part: Slot, call: ast.Call, named: dict[str | None, ast.expr]) -> ast.expr | None:
        if part.position < 0:
            return named.get(part.name)
        return call.args[part.position] if part.position < len(call.args) else None

    def _call(self, call: ast.Call, form: Form) -> list[Atom]:
        match call:
            case ast.Call(func=ast.Name(id="str"), args=[only], keywords=[]):
                inner = self.atoms(only, "written")
                return inner if len(inner) != 1 or isinstance(inner[0], str) else [_as_str(inner[0])]
            case ast.Call(func=ast.Attribute(value=value, attr="encode"), args=args, keywords=[]):
                if args and not (isinstance(args[0], ast.Constant) and args[0].value in _UTF8):
                    raise Refused("the key is encoded otherwise than in UTF-8, which the runtime writes")
                return self.atoms(value)
            case ast.Call(func=ast.Attribute(value=value, attr="format")) if (
                text := self._text(value)
            ) is not None and not any(isinstance(each, ast.Starred) for each in call.args):
                return self._format(text, call)
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str() as glue), attr="join"),
                args=[ast.List(elts=items) | ast.Tuple(elts=items)],
            ):
                found: list[Atom] = []
                for number, item in enumerate(items):
                    found += [glue] * bool(number) + self.atoms(item)
                return found
        return self._helped(call) or [self._filler(call, form)]

    def _followed(self, expr: ast.Name | ast.Attribute, form: Form) -> list[Atom]:
        """A variable of the function that holds text; a property that returns it."""
        if isinstance(expr, ast.Name) and expr.id in self.given:
            value, reader = self.given[expr.id]
            return replace(reader, depth=self.depth + 1).atoms(value, form)
        made = self._made(expr) if isinstance(expr, ast.Name) else None
        if made is not None:
            inner = replace(self, moved=True, depth=self.depth + 1).atoms(made, form)
            if _is_text(made) or len(inner) != 1 or isinstance(inner[0], str):
                return inner
        if isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name) and expr.value.id == "self":
            method = self._method(expr.attr, expr)
            body = _only_return(method) if method is not None and method.decorator_list else None
            if body is not None:
                return replace(self, depth=self.depth + 1, given={}).atoms(body, form)
        return [self._filler(expr, form)]

    def _made(self, name: ast.Name) -> ast.expr | None:
        scope = scope_of(self.program, name)
        while isinstance(scope, Function):
            if bindings(scope, name.id):
                made = assigned(self.program, scope, name.id)
                return None if made is None else made.value
            scope = scope_of(self.program, scope)
        return None

    def _text(self, expr: ast.expr) -> str | None:
        """The constant text that an expression stands for."""
        match expr:
            case ast.Constant(value=str() as text):
                return text
            case ast.Name(id=name):
                found = self._made(expr)
                if isinstance(found, ast.Constant) and isinstance(found.value, str):
                    return found.value
                defined = self.lookup.definition(self.path, name)
                value = getattr(defined[1], "value", None) if defined is not None else None
                return (
                    value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
                )
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                around = class_of(self.program, expr)
                made = None if around is None else assigned(self.program, around, name)
                value = None if made is None else made.value
                return (
                    value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
                )
        return None

    def _helped(self, call: ast.Call) -> list[Atom] | None:
        """A helper whose body is one return, with what it is given."""
        match call.func:
            case ast.Name(id=name):
                found = self.lookup.definition(self.path, name)
                skip = 0
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                method = self._method(name, call)
                found = None if method is None else (self.path, method)
                skip = (
                    0
                    if method is not None and "staticmethod" in map(ast.unparse, method.decorator_list)
                    else 1
                )
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                found = self.lookup.member(self.path, module, name)
                skip = 0
            case _:
                return None
        helper = found[1] if found is not None else None
        body = _only_return(helper) if isinstance(helper, ast.FunctionDef) else None
        if found is None or body is None or not isinstance(helper, ast.FunctionDef):
            return None
        given = _given(helper, call, skip)
        program = self.lookup.program(found[0])
        if given is None or program is None:
            return None
        inside = {
            name: (value, self if here else replace(self, program=program))
            for name, (value, here) in given.items()
        }
        reader = Reader(program, found[0], self.lookup, inside, True, self.moved, self.depth + 1)
        inner = reader.atoms(body)
        return inner if _is_text(body) or len(inner) != 1 or isinstance(inner[0], str) else None

    def _method(self, name: str, near: ast.AST) -> ast.FunctionDef | None:
        around = class_of(self.program, near)
        found = [] if around is None else bindings(around, name)
        return found[0] if len(found) == 1 and isinstance(found[0], ast.FunctionDef) else None

    def _filler(self, expr: ast.expr, form: Form) -> Filler:
        text = self._rendered(expr)
        kind = self._kind(expr)
        return Filler(text, kind, form, self._is_local(expr), self.moved, expr)

    def _kind(self, expr: ast.expr) -> Kind | None:
        return kind_of(self.program, expr)

    def _is_local(self, expr: ast.expr) -> bool:
        for node in ast.walk(expr):
            if isinstance(node, ast.Name) and node.id not in ("self", "cls"):
                scope = scope_of(self.program, node)
                while isinstance(scope, Function):
                    if bindings(scope, node.id):
                        return True
                    scope = scope_of(self.program, scope)
        return False

    def _rendered(self, expr: ast.expr) -> str | None:
        if not self.helper:
            return self.program.source(expr)
        names = [node for node in ast.walk(expr) if isinstance(node, ast.Name)]
        if any(
            node.id not in self.given and node.id not in _BUILT_IN and node.id not in ("self", "cls")
            for node in names
        ):
            return None
        filled = _Filled(self.given).visit(ast.parse(ast.unparse(expr), mode="eval"))
        return None if filled is None else ast.unparse(filled)


class _Filled(ast.NodeTransformer):
    """Parameters replaced by what they are given."""

    def __init__(self, given: "dict[str, tuple[ast.expr, Reader]]") -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._given:
            return node
        value, reader = self._given[node.id]
        text = reader._rendered(value)
        if text is None:
            raise Refused(f"what {node.id} stands for cannot be written here")
        return ast.parse(f"({text})", mode="eval").body


def _is_text(expr: ast.expr) -> bool:
    """Written as text that is put together."""
    match expr:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(attr="format" | "join" | "encode")):
            return True
    return False


def _as_str(filler: Filler) -> Filler:
    """`str(x)`: x itself where the runtime writes it alike."""
    return replace(filler, form="written")


def _only_return(function: ast.FunctionDef) -> ast.expr | None:
    """The value of a body that is one return, a docstring left out."""
    body = [
        each
        for each in function.body
        if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _given(helper: ast.FunctionDef, call: ast.Call, skip: int) -> dict[str, tuple[ast.expr, bool]] | None:
    """What each parameter is given, and whether at the call; None where a star hides it."""
    if any(isinstance(each, ast.Starred) for each in call.args) or helper.args.vararg or helper.args.kwarg:
        return None
    takes = [*helper.args.posonlyargs, *helper.args.args]
    found: dict[str, tuple[ast.expr, bool]] = {}
    for parameter, default in zip(reversed(takes), reversed(helper.args.defaults), strict=False):
        found[parameter.arg] = (default, False)
    for parameter, default_ in zip(helper.args.kwonlyargs, helper.args.kw_defaults, strict=True):
        if default_ is not None:
            found[parameter.arg] = (default_, False)
    for parameter, value in zip(takes[skip:], call.args, strict=False):
        found[parameter.arg] = (value, True)
    for keyword in call.keywords:
        if keyword.arg is None:
            return None
        found[keyword.arg] = (keyword.value, True)
    return found
