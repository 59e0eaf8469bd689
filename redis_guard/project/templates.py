"""Expressions as key templates, and the identity of what fills their holes.

Law of this file: text is followed through bindings and pure helpers; everything else is a hole whose identity
changes whenever its value may.
"""

from collections.abc import Callable

from redis_guard.facts.model import (
    Attr,
    Bin,
    Call,
    Const,
    Dict,
    Expr,
    Joined,
    Name,
    Other,
    Seq,
    Walrus,
)
from redis_guard.project import classes
from redis_guard.project.formats import Slot, fields, is_textual, percent
from redis_guard.project.identities import Identities
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Hole, Key, joined
from redis_guard.project.origins import Origins
from redis_guard.project.parameters import argument
from redis_guard.project.properties import property_of
from redis_guard.project.values import Function, Plain, ScopeRef
from redis_guard.project.walk import last_name

_DEPTH = 8
_SAME_TEXT = frozenset(
    {"str", "encode", "decode", "force_str", "force_bytes", "smart_str", "to_bytes", "to_str"}
)


class Templates:
    """Keys and identities over one project, remembered per expression."""

    def __init__(self, inf: Inference) -> None:
        self._inf = inf
        self.origins = Origins(inf)
        self._identities = Identities(inf.index)
        self._keys: dict[int, Key] = {}

    def key(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Key:
        """The value of `expr` as a template."""
        known = self._keys.get(id(expr))
        if known is None:
            known = joined(self._parts(path, scope, expr, depth))
            if depth < _DEPTH:
                self._keys[id(expr)] = known
        return known

    def identity(self, path: str, scope: int, expr: Expr) -> str:
        """Text that is equal for two expressions only where they certainly have one value."""
        return self._identities.of(path, scope, expr)

    def _parts(self, path: str, scope: int, expr: Expr, depth: int) -> list[str | Hole]:
        if depth >= _DEPTH:
            return [self._identities.hole(path, scope, expr)]

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
            case Bin(op="+", left=left, right=right) if not (
                self._number(path, scope, left) or self._number(path, scope, right)
            ):
                return [*inner(left), *inner(right)]
            case Bin(op="%", left=Const(value=str() as text), right=right):
                return self._percent(path, scope, text, right, depth)
            case Bin(op="%", left=Name() | Attr() as left, right=right) if not self._number(
                path, scope, left
            ):
                named = self.key(path, scope, left, depth + 1).constant
                if named is not None:
                    return self._percent(path, scope, named, right, depth)
            case Name() | Attr():
                return self._followed(path, scope, expr, depth)
            case Call():
                return self._call(path, scope, expr, depth)
        return [self._identities.hole(path, scope, expr)]

    def _number(self, path: str, scope: int, expr: Expr) -> bool:
        """What `+` adds to, where text would be refused."""
        values = self._inf.values(path, scope, expr)
        return bool(values) and all(
            isinstance(v.object, Plain) and v.object.type in ("int", "float") for v in values
        )

    def _followed(self, path: str, scope: int, expr: Name | Attr, depth: int) -> list[str | Hole]:
        if isinstance(expr, Name) and expr.defs:
            made = self._inf.index.modules[path].scopes[scope].defs[expr.defs[0]]
            if len(expr.defs) > 1:
                return [self._identities.hole(path, scope, expr)]
            if (
                made.kind == "assign"
                and made.value is not None
                and not made.unpack
                and is_textual(made.value)
            ):
                followed = self.key(path, made.scope, made.value, depth + 1)
                # two calls of one function are two values unless they give text we can see
                if followed.literal or not isinstance(made.value, Call):
                    return list(followed.pieces)
            if made.kind != "import":
                return [self._identities.hole(path, scope, expr)]
        hole = self._identities.hole(path, scope, expr)
        source = self._constant(path, scope, expr)
        if source is None:
            return self._property(path, scope, expr, depth) or [hole]
        pieces = self.key(*source, depth + 1).pieces
        if len(pieces) == 1 and isinstance(only := pieces[0], Hole):
            # what nobody can read further is called by the name that the reader sees
            return [Hole(only.identity, hole.name, hole.turns)]
        return list(pieces)

    def _property(self, path: str, scope: int, expr: Name | Attr, depth: int) -> list[str | Hole] | None:
        """A property whose body is one return of text: its template, seen from the object that has it."""
        ref = property_of(self._inf, path, scope, expr) if isinstance(expr, Attr) else None
        if ref is None or not isinstance(expr, Attr):
            return None
        function = self._inf.index.scope(ref)
        returns = [root for root in function.roots if root.use == "return"]
        if len(returns) != 1 or len(function.roots) > 4:
            return None
        template = self.key(ref.path, ref.scope, returns[0].expr, depth + 1)
        if not template.literal:
            return None
        holder = self._identities.of(path, scope, expr.value)
        same = holder.startswith("self@")
        return [
            piece
            if isinstance(piece, str) or (same and piece.identity.startswith(f"{holder}."))
            else Hole(f"{holder}/{piece.identity}", piece.name)
            for piece in template.pieces
        ]

    def _constant(self, path: str, scope: int, expr: Name | Attr) -> tuple[str, int, Expr] | None:
        """The one text that a global, class or imported name stands for."""
        found = self.origins.trail(path, scope, expr)
        if not found.complete or len(found.origins) != 1:
            return None
        where, there, given, _ = found.origins[0]
        if given is None or given is expr or not is_textual(given):
            return None
        elsewhere = (where, there) != (path, scope) or isinstance(given, Const)
        return (where, there, given) if elsewhere else None

    def _percent(self, path: str, scope: int, text: str, right: Expr, depth: int) -> list[str | Hole]:
        values = list(right.items) if isinstance(right, Seq) and right.kind == "tuple" else [right]
        pairs = right.items if isinstance(right, Dict) else ()
        named = {key.value: value for key, value in pairs if isinstance(key, Const)}

        def given(slot: Slot) -> Expr | None:
            if slot.position < 0:
                return named.get(slot.name)
            return values[slot.position] if slot.position < len(values) else None

        return self._filled(path, scope, percent(text), given, right, depth)

    def _filled(
        self,
        path: str,
        scope: int,
        parts: list[str | Slot],
        given: Callable[[Slot], Expr | None],
        whole: Expr,
        depth: int,
    ) -> list[str | Hole]:
        pieces: list[str | Hole] = []
        for part in parts:
            if isinstance(part, str):
                pieces.append(part)
            elif (value := given(part)) is not None:
                pieces.extend(self.key(path, scope, value, depth + 1).pieces)
            else:
                pieces.append(Hole(f"?{id(whole)}:{part.start}", part.name or "value"))
        return pieces

    def _call(self, path: str, scope: int, expr: Call, depth: int) -> list[str | Hole]:
        func = expr.func
        name = last_name(func)
        if isinstance(func, Attr) and func.name == "format" and isinstance(func.value, (Const, Name, Attr)):
            text = self.key(path, scope, func.value, depth + 1).constant
            if text is not None:

                def given(slot: Slot) -> Expr | None:
                    return argument(expr, slot.position, slot.name or "\0")

                return self._filled(path, scope, fields(text), given, expr, depth)
        if (
            isinstance(func, Attr)
            and func.name == "join"
            and isinstance(func.value, Const)
            and len(expr.args) == 1
        ):
            items = expr.args[0].value
            if isinstance(items, Seq) and isinstance(func.value.value, str):
                return self._joined(path, scope, func.value.value, items, depth)
        if name in _SAME_TEXT:
            method = isinstance(func, Attr) and name in ("encode", "decode")
            same = (
                func.value if method and isinstance(func, Attr) else expr.args[0].value if expr.args else None
            )
            if same is not None and (method or isinstance(func, Name)):
                return list(self.key(path, scope, same, depth + 1).pieces)
        helped = self._helper(path, scope, expr, depth)
        return helped if helped is not None else [self._identities.hole(path, scope, expr)]

    def _joined(self, path: str, scope: int, glue: str, items: Seq, depth: int) -> list[str | Hole]:
        parts: list[str | Hole] = []
        for number, item in enumerate(items.items):
            parts.extend([glue] if number else [])
            parts.extend(self.key(path, scope, item, depth + 1).pieces)
        return parts

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
            static = value.object.owner is None or "staticmethod" in classes.decorators(function)
            shift = 0 if static else 1
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
                identity = f"{self._identities.of(path, scope, call)}/{piece.identity}"
                parts.append(Hole(identity, piece.name, self._identities.turns(path, scope, call)))
            else:
                parts.append(piece)
        return parts
