"""One mapping of a registry file, read field by field.

Law of this file: a reader returns the value or None, and adds whatever is wrong to the problems, at the
value's own place; nothing raises, so that one run tells everything.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from redis_guard.nearest import did_you_mean
from redis_guard.registry.durations import DurationError, parse_duration, shortened
from redis_guard.registry.problems import Kind, Place, Problem
from redis_guard.registry.tree import Items, Node, Scalar, Table

BIGGEST = 2**63 - 1
"""The largest integer that Redis counts with."""


def described(node: Node) -> str:
    """What stands there, as a message says it."""
    if not isinstance(node, Scalar):
        return "a list" if isinstance(node, Items) else "a mapping"
    text = shortened(node.text)
    return {
        "str": f'the text "{text}"',
        "int": f"the number {text}",
        "float": f"the number {text}",
        "bool": f"the truth value {text}",
        "null": "null",
        "timestamp": f"the date {text}",
    }.get(node.tag, f'"{text}"')


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of `subject` (say `use case "x"`), which stands at `place`."""

    subject: str
    place: Place
    nodes: Mapping[str, tuple[Scalar, Node]]
    problems: list[Problem]
    is_mapping: bool = True

    @classmethod
    def of(cls, node: Node, subject: str, place: Place, problems: list[Problem]) -> "Fields":
        """The fields of a mapping; anything else is one problem, and has no field that could be missed."""
        nodes: dict[str, tuple[Scalar, Node]] = {}
        if isinstance(node, Table):
            nodes = {key.text: (key, value) for key, value in node.pairs}
        else:
            problems.append(
                Problem.at(node.place, "wrong-type", f"{subject} must be a mapping, not {described(node)}")
            )
        return cls(subject, place, nodes, problems, isinstance(node, Table))

    def add(self, place: Place, kind: Kind, message: str) -> None:
        """Note a problem of this subject."""
        self.problems.append(Problem.at(place, kind, f"{self.subject}: {message}"))

    def only(self, known: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> None:
        """Refuse fields that are not `known`; `elsewhere` says of a field where it does belong."""
        names = tuple(known)
        for name, (key, _) in self.nodes.items():
            if name in names:
                continue
            if elsewhere and name in elsewhere:
                self.add(key.place, "unknown-field", f'"{name}" {elsewhere[name]}')
            else:
                hint = did_you_mean(name, names) or f"; it has {', '.join(names)}"
                self.add(key.place, "unknown-field", f'unknown field "{shortened(name)}"{hint}')

    def require(self, *names: str) -> None:
        """Note each of `names` that is not there."""
        for name in names:
            if name not in self.nodes and self.is_mapping:
                self.add(self.place, "missing-field", f'"{name}" is missing')

    def value(self, name: str) -> Node | None:
        """The node of a field."""
        return self.nodes[name][1] if name in self.nodes else None

    def where(self, name: str) -> Place:
        """Where the value of a field stands, or the subject when it has none."""
        node = self.value(name)
        return node.place if node else self.place

    def text(self, name: str) -> str | None:
        """Text that is not blank."""
        node = self.value(name)
        if node is None:
            return None
        if not isinstance(node, Scalar) or node.tag != "str":
            hint = "; quote it" if isinstance(node, Scalar) else ""
            if isinstance(node, Scalar) and not node.text:
                hint = '; a text that begins with "#" has to be quoted'
            self.add(node.place, "wrong-type", f'"{name}" must be text, not {described(node)}{hint}')
            return None
        if not node.text.strip():
            self.add(node.place, "bad-value", f'"{name}" is blank')
            return None
        return node.text

    def choice(self, name: str, options: Iterable[str]) -> str | None:
        """One of the `options`."""
        text = self.text(name)
        known = tuple(options)
        if text is None or text in known:
            return text
        hint = did_you_mean(text, known) or f"; it is one of {', '.join(known)}"
        self.add(self.where(name), "bad-value", f'"{name}" cannot be "{shortened(text)}"{hint}')
        return None

    def flag(self, name: str) -> bool:
        """true or false; false when it is not there."""
        node = self.value(name)
        if node is None:
            return False
        if not isinstance(node, Scalar) or node.tag != "bool":
            self.add(node.place, "wrong-type", f'"{name}" must be true or false, not {described(node)}')
            return False
        return node.text.lower() in ("true", "yes", "on")

    def integer(self, name: str, least: int) -> int | None:
        """A whole decimal number from `least` to the largest that Redis knows."""
        node = self.value(name)
        return None if node is None else self.integer_at(node, name, least)

    def integer_at(self, node: Node, name: str, least: int) -> int | None:
        """The same of a node that is not a field of its own; `name` is what the message calls it."""
        digits = node.text.removeprefix("-") if isinstance(node, Scalar) else ""
        plain = digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0")
        if not isinstance(node, Scalar) or node.tag != "int" or not plain:
            self.add(node.place, "wrong-type", f'"{name}" must be a whole number, not {described(node)}')
            return None
        number = int(node.text) if len(digits) < 20 else BIGGEST + 1
        if not least <= number <= BIGGEST:
            self.add(
                node.place,
                "bad-value",
                f'"{name}" must be from {least} to {BIGGEST}, not {shortened(node.text)}',
            )
            return None
        return number

    def duration(self, name: str, *, zero: bool = False) -> int | None:
        """Milliseconds; `zero` allows none of it, written 0 or 0s."""
        node = self.value(name)
        if node is None:
            return None
        if not isinstance(node, Scalar) or node.tag not in ("str", "int"):
            self.add(
                node.place, "wrong-type", f'"{name}" must be a duration such as 30s, not {described(node)}'
            )
            return None
        try:
            milliseconds = 0 if zero and node.text == "0" else parse_duration(node.text)
        except DurationError as error:
            self.add(node.place, "bad-value", f'"{name}": {error}')
            return None
        if milliseconds == 0 and not zero:
            self.add(node.place, "bad-value", f'"{name}" must be longer than zero')
            return None
        return milliseconds
