"""Arguments bound to the parameters of a method, keys and lifetimes among them.

Law of this file: by the command table; an argument that a star hides is not guessed.
"""

from typing import NamedTuple

from redis_guard import commands
from redis_guard.commands import KeySource, Method
from redis_guard.facts.model import Call, Comp, Const, Dict, Expr, Seq, Star

_TOKENS = {"EX": "ex", "PX": "px", "EXAT": "exat", "PXAT": "pxat"}
_SET = Const(True)
"""One that stays: what is known of an expression is remembered by its identity."""
LISTED = frozenset({"many", "list", "mapping"})
"""Shapes of parameters that hold several keys."""
_FLAGS = {"NX": "nx", "XX": "xx", "KEEPTTL": "keepttl", "GET": "get", "GT": "gt", "LT": "lt"}


class Bound(NamedTuple):
    """A call's arguments by parameter; `command` and `facts` as seen through `execute_command`."""

    facts: Method | None
    command: str | None
    given: tuple[tuple[str, Expr], ...]
    opaque: bool


def bind(method: Method | None, call: Call, skip: int = 0) -> Bound:
    """Bind the arguments of `call`, the first `skip` of which are not the method's own."""
    opaque = any(arg.star for arg in call.args)
    if method is None:
        return Bound(None, None, (), opaque)
    if method.family == "raw":
        return _raw(method, call, opaque)
    positional = [p for p in method.parameters if p.kind == "positional"]
    rest = next((p for p in method.parameters if p.kind == "var_positional"), None)
    # a keyword that the library's method lacks belongs to a class with a signature of its own
    opaque = opaque or any(arg.keyword is not None and not _takes(method, arg.keyword) for arg in call.args)
    given: list[tuple[str, Expr]] = []
    position = -skip
    for arg in call.args:
        if arg.star:
            position = len(positional) + 10_000 if arg.star == 1 else position
        elif arg.keyword is not None:
            given.append((arg.keyword, arg.value))
        else:
            if 0 <= position < len(positional):
                given.append((positional[position].name, arg.value))
            elif position >= len(positional) and rest is not None and position < 10_000:
                given.append((f"{rest.name}.{position - len(positional)}", arg.value))
            position += 1
    return Bound(method, method.commands[0] if method.commands else None, tuple(given), opaque)


def _takes(method: Method, keyword: str) -> bool:
    return any(p.name == keyword or p.kind == "var_keyword" for p in method.parameters)


def _raw(method: Method, call: Call, opaque: bool) -> Bound:
    """`execute_command("SET", key, value, "EX", 30)`: as the method that sends the same command."""
    values = [arg.value for arg in call.args if arg.keyword is None and not arg.star]
    words = _words(values[0]) if values else []
    if not words:
        return Bound(method, None, (), opaque)
    arguments = values[1:]
    if len(words) == 1 and arguments and (inner := _words(arguments[0])):
        # the name of a subcommand may be an argument of its own
        stars = any(arg.star for arg in call.args[:2])
        if not stars and commands.command(f"{words[0]} {inner[0]}") is not None:
            words, arguments = [words[0], inner[0]], arguments[1:]
    name = " ".join(words)
    same = commands.lookup("client", words[0].lower()) if len(words) == 1 else None
    if same is None or not (name in same.commands or f"{name}BY" in same.commands):
        return Bound(method, name, (), opaque)
    positional = [p.name for p in same.parameters if p.kind == "positional"]
    required = [p.name for p in same.parameters if p.kind == "positional" and p.default is None]
    rest = next((p.name for p in same.parameters if p.kind == "var_positional"), None)
    given: list[tuple[str, Expr]] = []
    number = 0
    while number < len(arguments):
        value = arguments[number]
        token = value.value.upper() if isinstance(value, Const) and isinstance(value.value, str) else ""
        if number >= len(required) and token in _TOKENS and number + 1 < len(arguments):
            given.append((_TOKENS[token], arguments[number + 1]))
            number += 1
        elif number >= len(required) and token in _FLAGS:
            given.append((_FLAGS[token], _SET))
        elif number < len(required):
            given.append((required[number], value))
        elif rest is not None:
            given.append((f"{rest}.{number - len(required)}", value))
        elif number < len(positional):
            given.append((positional[number], value))
        number += 1
    return Bound(same, name, tuple(given), opaque)


def _words(value: Expr) -> list[str]:
    text = value.value if isinstance(value, Const) else None
    if isinstance(text, bytes):
        text = text.decode("ascii", "replace")
    return text.upper().split() if isinstance(text, str) else []


def key_expressions(sources: tuple[KeySource, ...], given: tuple[tuple[str, Expr], ...]) -> list[Expr]:
    """The expressions that are keys."""
    found: list[Expr] = []
    by_name = dict(given)
    for source in sources:
        value = by_name.get(source.parameter)
        match source.shape:
            case "one" if value is not None:
                found.append(value)
            case "many":
                found.extend(expr for name, expr in given if name.startswith(f"{source.parameter}."))
            case "list" if value is not None:
                found.extend(items(value) if isinstance(value, (Comp, Seq)) else [value])
            case "mapping" if isinstance(value, Dict):
                found.extend(key for key, _ in value.items if key is not None)
            case "mapping" if isinstance(value, Comp):
                found.extend(value.elements[:1])
            case "tuples" if isinstance(value, Seq):
                found.extend(item.items[0] for item in value.items if isinstance(item, Seq) and item.items)
            case "counted":
                count = by_name.get("numkeys")
                number = count.value if isinstance(count, Const) and isinstance(count.value, int) else 0
                found.extend(
                    expr for name, expr in given
                    if name.startswith(f"{source.parameter}.") and int(name.rpartition(".")[2]) < number
                )  # fmt: skip
    return found


def items(keys: Comp | Seq) -> list[Expr]:
    """What a list holds; of a comprehension, what each turn gives."""
    given = keys.elements if isinstance(keys, Comp) else keys.items
    return [item for item in given if not isinstance(item, Star)]
