"""YAML text -> a tree that knows where everything stands. Loaded only when there is a file to read.

Law of this file: reading is safe and bounded. Nodes are plain text with places, never Python objects;
duplicate keys and tags are refused; size, nesting and what aliases add up to have limits, and no step
recurses, so that no input can exhaust time, memory or the stack.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from redis_guard.registry.problems import Place, Problem
from redis_guard.registry.tree import Items, Node, Scalar, Table, UnreadableError

MOST_CHARACTERS = 1_048_576
MOST_NODES = 100_000
DEEPEST = 20
STANDARD = "tag:yaml.org,2002:"
SCALAR_TAGS = ("str", "int", "float", "bool", "null", "timestamp", "merge", "value")


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read yet."""

    place: Place
    anchor: str | None
    mapping: bool
    children: list[Node]
    weight: int = 1


def read_tree(path: str, text: str, problems: list[Problem]) -> Node | None:
    """The document in `text`; None for an empty one.

    Duplicate keys are added to `problems`; what makes the rest meaningless raises `UnreadableError`.
    """
    _refuse_odd_text(path, text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _build(path, yaml.parse(text, Loader=loader), problems)
    except yaml.MarkedYAMLError as error:
        # What is never closed is mended where it begins, not where the file ends.
        unclosed = "end of stream" in (error.problem or "")
        mark = (unclosed and error.context_mark) or error.problem_mark or error.context_mark
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path, 1, 1)
        context = f" {error.context}" if error.context else ""
        raise _stop(place, f"not valid YAML: {error.problem}{context}") from error
    except yaml.YAMLError as error:
        raise _stop(Place(path, 1, 1), f"not valid YAML: {' '.join(str(error).split())}") from error


def _refuse_odd_text(path: str, text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise _stop(
            Place(path, 1, 1), f"a registry file has at most {MOST_CHARACTERS:,} characters; split it"
        )
    # YAML's own message for these has no line.
    if found := yaml.reader.Reader.NON_PRINTABLE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise _stop(
            Place(path, line, column), f"control character U+{ord(found.group()):04X}; YAML allows none"
        )


def _stop(place: Place, message: str) -> UnreadableError:
    return UnreadableError(Problem.at(place, "bad-yaml", message))


def _build(path: str, events: Iterator[yaml.Event], problems: list[Problem]) -> Node | None:
    resolver = yaml.resolver.Resolver()
    anchors: dict[str, Node] = {}
    top = _Open(Place(path, 1, 1), None, False, [])
    stack = [top]
    total = 0
    for event in events:
        mark = event.start_mark
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path, 1, 1)
        if isinstance(event, yaml.DocumentStartEvent) and top.children:
            raise _stop(place, "a second YAML document; a registry file holds one")
        if isinstance(event, yaml.CollectionStartEvent):
            if event.tag not in (None, "!", f"{STANDARD}map", f"{STANDARD}seq"):
                raise _stop(place, f"the tag {event.tag} is not allowed")
            if len(stack) > DEEPEST:
                raise _stop(place, f"nested deeper than {DEEPEST} levels")
            stack.append(_Open(place, event.anchor, isinstance(event, yaml.MappingStartEvent), []))
            continue
        node: Node
        anchor: str | None = None
        if isinstance(event, yaml.CollectionEndEvent):
            opened = stack.pop()
            anchor = opened.anchor
            node = _closed(opened, problems)
        elif isinstance(event, yaml.ScalarEvent):
            anchor = event.anchor
            node = Scalar(place, _tag(resolver, event, place), event.value)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise _stop(place, f"*{event.anchor} refers to an anchor that does not stand before it")
            node = anchors[event.anchor]
        else:
            continue
        if anchor:
            anchors[anchor] = node
        stack[-1].children.append(node)
        stack[-1].weight += node.weight
        total += node.weight if isinstance(event, yaml.AliasEvent) else 1
        if total > MOST_NODES:
            raise _stop(place, f"more than {MOST_NODES:,} values, aliases counted in full")
    return top.children[0] if top.children else None


def _tag(resolver: yaml.resolver.Resolver, event: yaml.ScalarEvent, place: Place) -> str:
    tag = event.tag
    if tag is None or tag == "!":
        # The stubs of PyYAML leave this one method without types.
        tag = str(resolver.resolve(yaml.ScalarNode, event.value, event.implicit))  # type: ignore[no-untyped-call]
    short = tag.removeprefix(STANDARD)
    if short == tag or short not in SCALAR_TAGS:
        raise _stop(place, f"the tag {tag} is not allowed")
    return short


def _closed(opened: _Open, problems: list[Problem]) -> Node:
    if not opened.mapping:
        return Items(opened.place, tuple(opened.children), opened.weight)
    own: dict[str, tuple[Scalar, Node]] = {}
    merged: dict[str, tuple[Scalar, Node]] = {}
    children = iter(opened.children)
    for key, value in zip(children, children, strict=True):
        if not isinstance(key, Scalar):
            problems.append(Problem.at(key.place, "wrong-type", "a list or mapping cannot be a key"))
        elif key.tag == "merge":
            for pair in _merged(value):
                merged.setdefault(pair[0].text, pair)
        elif key.text in own:
            first = own[key.text][0].place
            message = (
                f'duplicate key "{key.text}"; YAML would keep the last one only; the first is at {first}'
            )
            problems.append(Problem.at(key.place, "duplicate-key", message))
        else:
            own[key.text] = (key, value)
    return Table(opened.place, tuple({**merged, **own}.values()), opened.weight)


def _merged(value: Node) -> Iterator[tuple[Scalar, Node]]:
    for source in value.items if isinstance(value, Items) else (value,):
        if not isinstance(source, Table):
            raise _stop(source.place, "<< merges mappings only")
        yield from source.pairs
