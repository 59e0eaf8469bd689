"""Expressions as key templates, and the identity of what fills their holes.

Law of this file: text is followed through bindings and pure helpers; everything else is a hole whose identity
changes whenever its value may.
"""

import re

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Call,
    Const,
    Dict,
    Expr,
    Joined,
    Name,
    Other,
    Seq,
    Sub,
    Walrus,
)
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Hole, Key, joined
from redis_guard.project.origins import Origins
from redis_guard.project.parameters import argument
from redis_guard.project.values import Function, ScopeRef
from redis_guard.project.walk import last_name

_DEPTH = 8
_IMPURE = re.compile(
    r"uuid|random|token|time$|now$|utcnow|monotonic|next|pop|randint|choice|urandom|nonce|counter|incr|shuffle|read|recv|get$|input",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\d+|\*)?(?:\.\d+)?([srdiouxXeEfFgGc%])")
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_SAME_TEXT = frozenset("str encode decode strip lower upper force_str force_bytes smart_str to_bytes to_str".split())


class Templates:
    """Keys and identities over one project, remembered per expression."""

    def __init__(self, inf: Inference) -> None:
        self._inf = inf
        self.origins = Origins(inf)
        self._keys: dict[int, Key] = {}

    def key(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Key:
        """The value of `expr` as a template."""
        known = self._keys.get(id(expr))
        if known is None:
            known = joined(self._parts(path, scope, expr, depth))
            if depth < _DEPTH:
                self._keys[id(expr)] = known
        return known

    def _parts(self, path: str, scope: int, expr: Expr, depth: int) -> list[str | Hole]:
        if depth >= _DEPTH:
            return [self._hole(path, scope, expr)]

        def inner(part: Expr) -> list[str | Hole]:
            return list(self.key(path, scope, part, depth + 1).pieces)

        match expr:
            case Const(value=str() as text):
                return [text]
            case Const(value=bytes() as raw):
                return [raw.decode("latin-1")]
            case Const(value=int() | float() as number):
                return [str(number)]
            case Joined(parts=parts):
                return [piece for part in parts for piece in inner(part)]
            case Other(parts=(first, *_)):
                return inner(first)
            case Walrus(value=value):
                return inner(value)
            case Bin(op="+", left=left, right=right):
                return [*inner(left), *inner(right)]
            case Bin(op="%", left=Const(value=str() as text), right=right):
                return self._percent(path, scope, text, right, depth)
            case Name() | Attr():
                return self._followed(path, scope, expr, depth)
            case Call():
                return self._call(path, scope, expr, depth)
        return [self._hole(path, scope, expr)]

    def _followed(self, path: str, scope: int, expr: Name | Attr, depth: int) -> list[str | Hole]:
        if isinstance(expr, Name):
            if len(expr.defs) == 1:
                made = self._inf.index.modules[path].scopes[scope].defs[expr.defs[0]]
                if made.kind == "assign" and made.value is not None and not made.unpack and _textual(made.value):
                    followed = self.key(path, made.scope, made.value, depth + 1)
                    # two calls of one function are two values unless they give text we can see
                    if followed.literal or not isinstance(made.value, Call):
                        return list(followed.pieces)
                if made.kind != "import":
                    return [self._hole(path, scope, expr)]
            elif expr.defs:
                return [self._hole(path, scope, expr)]
        source = self._constant(path, scope, expr)
        if source is not None:
            return list(self.key(source[0], source[1], source[2], depth + 1).pieces)
        return [self._hole(path, scope, expr)]

    def _constant(self, path: str, scope: int, expr: Name | Attr) -> tuple[str, int, Expr] | None:
        """The one text that a global, class or imported name stands for."""
        found = self.origins.trail(path, scope, expr)
        if found.complete and len(found.origins) == 1:
            origin = found.origins[0]
            if origin.expr is not None and origin.expr is not expr and _textual(origin.expr):
                if origin.scope != scope or origin.path != path or isinstance(origin.expr, Const):
                    return (origin.path, origin.scope, origin.expr)
        return None

    def _percent(self, path: str, scope: int, text: str, right: Expr, depth: int) -> list[str | Hole]:
        values = list(right.items) if isinstance(right, Seq) and right.kind == "tuple" else [right]
        named = {
            key.value: value for key, value in right.items if isinstance(key, Const)
        } if isinstance(right, Dict) else {}  # fmt: skip
        parts: list[str | Hole] = []
        position = end = 0
        for match in _PERCENT.finditer(text):
            parts.append(text[end : match.start()])
            end = match.end()
            if match[2] == "%":
                parts.append("%")
                continue
            value = named.get(match[1]) if match[1] else (values[position] if position < len(values) else None)
            position += not match[1]
            parts.extend(self.key(path, scope, value, depth + 1).pieces if value is not None else [Hole(text, "…")])
        return [*parts, text[end:]]

    def _format(self, path: str, scope: int, text: str, call: Call, depth: int) -> list[str | Hole]:
        parts: list[str | Hole] = []
        counter = end = 0
        for match in _FIELD.finditer(text):
            parts.append(text[end : match.start()])
            end = match.end()
            if match[1] is None:
                parts.append(match[0][0])
                continue
            field = re.split(r"[.!:\[]", match[1], maxsplit=1)[0]
            position = counter if not field else int(field) if field.isdecimal() else -1
            counter += not field
            value = argument(call, position, field or "\0")
            if value is None:
                parts.append(Hole(f"{id(call)}:{match.start()}", field or "…"))
            else:
                parts.extend(self.key(path, scope, value, depth + 1).pieces)
        return [*parts, text[end:]]

    def _call(self, path: str, scope: int, expr: Call, depth: int) -> list[str | Hole]:
        func = expr.func
        name = last_name(func)
        if isinstance(func, Attr) and func.name == "format" and isinstance(func.value, (Const, Name, Attr)):
            text = self.key(path, scope, func.value, depth + 1).constant
            if text is not None:
                return self._format(path, scope, text, expr, depth)
        if isinstance(func, Attr) and func.name == "join" and isinstance(func.value, Const) and len(expr.args) == 1:
            items = expr.args[0].value
            if isinstance(items, Seq) and isinstance(func.value.value, str):
                parts: list[str | Hole] = []
                for number, item in enumerate(items.items):
                    parts.extend([func.value.value] if number else [])
                    parts.extend(self.key(path, scope, item, depth + 1).pieces)
                return parts
        if name in _SAME_TEXT:
            if isinstance(func, Attr) and name in ("encode", "decode"):
                return list(self.key(path, scope, func.value, depth + 1).pieces)
            if isinstance(func, Name) and expr.args:
                return list(self.key(path, scope, expr.args[0].value, depth + 1).pieces)
        helped = self._helper(path, scope, expr, depth)
        return helped if helped is not None else [self._hole(path, scope, expr)]

    def _helper(self, path: str, scope: int, call: Call, depth: int) -> list[str | Hole] | None:
        """A helper of the project whose body is one return: its template with the arguments put in."""
        for value in self._inf.values(path, scope, call.func):
            if not isinstance(value.object, Function):
                continue
            ref = value.object.ref
            function = self._inf.index.scope(ref)
            returns = [root for root in function.roots if root.use == "return"]
            if len(returns) != 1 or function.asynchronous or function.generator or len(function.roots) > 4:
                continue
            shift = 1 if value.object.owner is not None and "staticmethod" not in classes.decorators(function) else 0
            return self._substituted(path, scope, call, ref, returns[0].expr, shift, depth)
        return None

    def _substituted(
        self, path: str, scope: int, call: Call, ref: ScopeRef, body: Expr, shift: int, depth: int
    ) -> list[str | Hole] | None:
        template = self.key(ref.path, ref.scope, body, depth + 1)
        if not template.literal:
            return None
        function = self._inf.index.scope(ref)
        given: dict[str, Expr] = {}
        for number, param in enumerate(function.params):
            value = argument(call, number - shift, param.name) if number >= shift else None
            if value is not None:
                given[f"{ref.path}:{ref.scope}:{param.name}#{number}"] = value
        parts: list[str | Hole] = []
        for piece in template.pieces:
            if isinstance(piece, Hole) and piece.identity in given:
                parts.extend(self.key(path, scope, given[piece.identity], depth + 1).pieces)
            elif isinstance(piece, Hole) and piece.identity.startswith(f"{ref.path}:{ref.scope}:"):
                parts.append(Hole(f"{self.identity(path, scope, call)}/{piece.identity}", piece.name))
            else:
                parts.append(piece)
        return parts

    def _hole(self, path: str, scope: int, expr: Expr) -> Hole:
        return Hole(self.identity(path, scope, expr), _label(expr))

    def identity(self, path: str, scope: int, expr: Expr, depth: int = 0) -> str:
        """Text that is equal for two expressions only where they certainly have one value."""
        if depth > 12:
            return f"?{id(expr)}"

        def inner(part: Expr) -> str:
            return self.identity(path, scope, part, depth + 1)

        match expr:
            case Const(value=value):
                return repr(value)
            case Name(id=name, defs=defs):
                return self._name_identity(path, scope, name, defs)
            case Attr(value=value, name=name):
                return f"{inner(value)}.{name}"
            case Sub(value=value, index=index):
                return f"{inner(value)}[{inner(index)}]"
            case Await(value=value):
                return inner(value)
            case Joined(parts=parts) | Seq(items=parts):
                return "(" + ",".join(inner(part) for part in parts) + ")"
            case Bin(op=op, left=left, right=right):
                return f"({inner(left)}{op}{inner(right)})"
            case Call(func=func, args=args):
                name = last_name(func) or ""
                if _IMPURE.search(name) and name != "get":
                    return f"?{path}:{expr.span}"
                given = ",".join(f"{arg.keyword or ''}{'*' * arg.star}{inner(arg.value)}" for arg in args)
                return f"{inner(func)}({given})"
        return f"?{id(expr)}"

    def _name_identity(self, path: str, scope: int, name: str, defs: tuple[int, ...]) -> str:
        scopes = self._inf.index.modules[path].scopes
        if not defs:
            number = scope
            while number > 0 and not (
                scopes[number].kind != "class" and name in self._inf.index.definitions(path, number)
            ):
                number = scopes[number].parent
            return f"{path}:{max(number, 0)}:{name}"
        if len(defs) == 1:
            made = scopes[scope].defs[defs[0]]
            if made.kind == "parameter":
                parent = scopes[scopes[scope].parent]
                if made.target == 0 and parent.kind == "class":
                    return f"self@{path}:{parent.qualname}"
                return f"{path}:{scope}:{name}#{made.target}"
            if made.kind == "assign" and not made.unpack and isinstance(made.value, (Name, Attr)):
                return self.identity(path, made.scope, made.value, 1)
        return f"{path}:{scope}:{name}@{','.join(map(str, defs))}"


def _textual(expr: Expr) -> bool:
    """Whether following a variable to this expression says more of the key than the variable's name."""
    match expr:
        case Const(value=str() | bytes() | int()) | Joined():
            return True
        case Bin(op="+" | "%", left=left, right=right):
            return _textual(left) or _textual(right)
        case Call(func=Attr(name="format" | "join" | "encode" | "decode")):
            return True
        case Call(func=Name() | Attr()) | Name() | Attr():
            return True
    return False


def _label(expr: Expr) -> str:
    name = last_name(expr)
    if name is None and isinstance(expr, Sub):
        name = last_name(expr.value)
    cleaned = re.sub(r"\W", "_", name or "value").strip("_").lower()
    return cleaned or "value"
