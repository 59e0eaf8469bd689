"""What the parameters of a program are given: values drawn by their annotations and names, or as a fixture says.

Law of this file: a value is right for its parameter, and odd otherwise: empty, long, with characters that mean
something elsewhere.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tests.proof.callbacks import Callback
from tests.proof.program import Client, Program

WORDS = st.text(alphabet="ab7:{}*?é ", max_size=6)
SECONDS = st.integers(1, 100_000)


def moments(least: int, most: int) -> st.SearchStrategy[datetime]:
    """Seconds from now."""
    return st.integers(least, most).map(lambda seconds: datetime.now() + timedelta(seconds=seconds))


def spans(least: int, most: int) -> st.SearchStrategy[timedelta]:
    """Milliseconds."""
    return st.integers(least, most).map(lambda milliseconds: timedelta(milliseconds=milliseconds))


_BY_ANNOTATION: dict[str, st.SearchStrategy[Any]] = {
    "str": WORDS,
    "bytes": st.binary(max_size=6),
    "int": st.integers(0, 1000),
    "float": st.floats(0, 1000, allow_nan=False),
    "bool": st.booleans(),
    "datetime": moments(10, 100_000),
    "timedelta": spans(1000, 100_000_000),
    "list[str]": st.lists(WORDS, min_size=1, max_size=3),
    "dict[str, str]": st.dictionaries(WORDS, WORDS, min_size=1, max_size=3),
    "Callable": st.just(Callback()),
}
_BY_NAME = (
    (re.compile(r"ttl|seconds|timeout|lease|lifetime"), SECONDS),
    (re.compile(r"^(job|work|send|handle|callback)$"), st.just(Callback())),
    (re.compile(r"count|limit|number|points|amount"), st.integers(0, 1000)),
)


def strategies(program: Program, declared: Mapping[str, str]) -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for each parameter; `declared` holds expressions in the names of `hypothesis.strategies`."""
    parameters = program.parameters()
    unknown = declared.keys() - parameters.keys()
    if unknown:
        raise ValueError(f"{program.name}: {program.entry} has no parameter {', '.join(sorted(unknown))}")
    return {
        name: evaluate(declared[name]) if name in declared else _usual(name, annotation, program.asynchronous)
        for name, annotation in parameters.items()
    }


def evaluate(expression: str, names: Mapping[str, Any] | None = None) -> Any:
    """An expression of a fixture."""
    scope = {name: getattr(st, name) for name in st.__all__}
    ours = {
        "Callback": Callback,
        "Client": Client,
        "datetime": datetime,
        "timedelta": timedelta,
        "moments": moments,
        "spans": spans,
        "words": WORDS,
        "seconds": SECONDS,
    }
    return eval(expression, {**scope, **ours, **(names or {})})


def _usual(name: str, annotation: str, asynchronous: bool) -> st.SearchStrategy[Any]:
    written, _, optional = annotation.partition(" | ")
    if re.search(r"\bRedis$", written):
        return st.builds(Client, asynchronous=st.just(asynchronous), decode=st.booleans())
    by_name = next((strategy for pattern, strategy in _BY_NAME if pattern.search(name)), None)
    # A name says more than `int`, and nothing against another annotation.
    said = by_name is not None and written in ("", "int")
    found = by_name if said else _BY_ANNOTATION.get(written, WORDS)
    return found | st.none() if optional == "None" else found
