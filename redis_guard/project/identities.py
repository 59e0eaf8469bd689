"""Text that is equal for two expressions only where they certainly have one value.

Law of this file: a variable is known by its binding, never by its name alone; what may differ from call to call
is equal to nothing but itself.
"""

import re

from redis_guard.facts.model import Attr, Await, Bin, Call, Const, Expr, Joined, Name, Seq, Sub
from redis_guard.project.index import ProjectIndex
from redis_guard.project.keys import Hole
from redis_guard.project.walk import every, last_name, text

_RANDOM = re.compile(r"uuid|random|next|pop|randint|choice|urandom|nonce|shuffle", re.IGNORECASE)
_IMPURE = re.compile(
    rf"{_RANDOM.pattern}|token|time$|now$|utcnow|monotonic|counter|incr|read|recv|get$|input", re.IGNORECASE
)
_ASSIGNED = 3
"""Assignments on the way from a loop's variable to a key."""
_NAMING = re.compile(r"(?:^|_)(?:key|name|prefix)s?(?:_for|_of)?$", re.IGNORECASE)


class Identities:
    """Answers over one project."""

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index

    def hole(self, path: str, scope: int, expr: Expr) -> Hole:
        """An expression as the part of a key that is decided at run time."""
        return Hole(self.of(path, scope, expr), _label(expr), self.turns(path, scope, expr))

    def turns(self, path: str, scope: int, expr: Expr, depth: int = 0) -> str:
        """What is looped over, as written, where a loop's variable takes part in the expression; else empty."""
        defs = self._index.modules[path].scopes[scope].defs
        for part in every(expr):
            if not isinstance(part, Name) or len(part.defs) != 1:
                continue
            made = defs[part.defs[0]]
            if made.value is None or made.scope != scope:
                continue
            if made.kind == "for":
                return text(made.value)
            if (
                made.kind == "assign"
                and depth < _ASSIGNED
                and (over := self.turns(path, scope, made.value, depth + 1))
            ):
                return over
        return ""

    def of(self, path: str, scope: int, expr: Expr, depth: int = 0) -> str:
        """Text that is equal for two expressions only where they certainly have one value."""
        if depth > 12:
            return f"?{id(expr)}"

        def inner(part: Expr) -> str:
            return self.of(path, scope, part, depth + 1)

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
                # `counter_key(user)` and `token_name(id)` speak of a counter and a token, they do not draw one
                impure = _RANDOM if _NAMING.search(name) and args else _IMPURE
                if impure.search(name) and name != "get":
                    return f"?{path}:{expr.span}"
                given = ",".join(f"{arg.keyword or ''}{'*' * arg.star}{inner(arg.value)}" for arg in args)
                return f"{inner(func)}({given})"
        return f"?{id(expr)}"

    def _name_identity(self, path: str, scope: int, name: str, defs: tuple[int, ...]) -> str:
        scopes = self._index.modules[path].scopes
        if not defs:
            number = scope
            while number > 0 and not (
                scopes[number].kind != "class" and name in self._index.definitions(path, number)
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
                return self.of(path, made.scope, made.value, 1)
        return f"{path}:{scope}:{name}@{','.join(map(str, defs))}"


_TELLS_NOTHING = frozenset(
    {"format", "join", "encode", "decode", "strip", "lower", "upper", "hex", "hexdigest"}
)
_LOOKS_UP = frozenset({"get", "pop", "getenv", "setdefault", "getattr"})


def _label(expr: Expr) -> str:
    name = _told(expr) or "value"
    cleaned = re.sub(r"\W", "_", name).strip("_").lower()
    return re.sub(r"^(?:get|make|build|create)_(?=.)", "", cleaned) or "value"


def _told(expr: Expr) -> str | None:
    """What an expression speaks of: the variable, the function, or what is looked up."""
    match expr:
        case Bin(op="%", left=left):
            return _told(left)
        case Sub(value=value):
            return last_name(expr) or _told(value)
        case Call(func=Attr(value=value, name=name)) if name in _TELLS_NOTHING:
            return _told(value) or name
        case Call(func=func, args=args) if last_name(func) in _LOOKS_UP:
            texts = [arg.value.value for arg in args if isinstance(arg.value, Const)]
            return next((text for text in texts if isinstance(text, str) and text), last_name(func))
    return last_name(expr)
