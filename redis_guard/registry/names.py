"""What owners, use cases, namespaces and instances may be called.

Law of this file: a name is part of a key or a metric label, so it is short and plain.
"""

import re
from collections.abc import Iterator

from redis_guard.registry.durations import shortened
from redis_guard.registry.fields import Fields
from redis_guard.registry.problems import Problem
from redis_guard.registry.tree import Node, Scalar, Table

LONGEST_NAME = 64
USE_CASE_NAME = "[a-z][a-z0-9_]*"
OWNER_NAME = "[a-z][a-z0-9_-]*"
SEGMENT = "[A-Za-z0-9][A-Za-z0-9_.-]*"


def name_fault(name: str, pattern: str) -> str:
    """What is wrong with `name`, empty when nothing is."""
    if len(name) > LONGEST_NAME:
        return f"has {len(name)} characters; {LONGEST_NAME} are allowed"
    return "" if re.fullmatch(pattern, name) else f"must match {pattern}"


def named(fields: Fields, section: str) -> Iterator[tuple[Scalar, Node]]:
    """The pairs of a section such as `owners`, whose keys are texts; other keys are problems."""
    node = fields.value(section)
    if node is None or (isinstance(node, Scalar) and node.tag == "null"):
        return
    if not isinstance(node, Table):
        Fields.of(node, f'"{section}"', node.place, fields.problems)
        return
    for key, value in node.pairs:
        if key.tag == "str":
            yield key, value
        else:
            message = (
                f"{section}: YAML reads the name {shortened(key.text)} as {key.tag}, not as text; quote it"
            )
            fields.problems.append(Problem.at(key.place, "wrong-type", message))
