"""The top of the registry files: what holds for all entries, merged over the whole set.

Law of this file: each file may give a setting, and no two may give it differently.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, get_args

from redis_guard.registry.durations import shortened
from redis_guard.registry.fields import Fields
from redis_guard.registry.model import (
    DEFAULT_CONNECT_DEADLINE_MS,
    DEFAULT_DEADLINE_MS,
    DEFAULT_NAMESPACE,
    KeyClass,
    Limits,
)
from redis_guard.registry.names import SEGMENT, name_fault, named
from redis_guard.registry.problems import Place, Problem
from redis_guard.registry.tree import Items, Node, Scalar

FORMAT_VERSION = 1
SECTIONS = ("owners", "use_cases", "keyspaces")
SETTINGS = ("namespace", "deadline", "connect_deadline", "abbreviations", "vocabulary", "prefixes", "limits")
LIMITS = ("key_bytes", "string_bytes", "elements")

ValueT = TypeVar("ValueT")
Given = tuple[str, ValueT, Place]
"""A setting's name, its value, and where it is given."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set for the whole set of files; defaults are filled in."""

    namespace: str
    deadline_ms: int
    connect_deadline_ms: int
    abbreviations: dict[str, str]
    vocabulary: dict[str, tuple[str, ...]]
    prefixes: dict[str, str]
    limits: Limits


def read_settings(files: Sequence[Fields], problems: list[Problem]) -> Settings:
    """The settings of all files together; also holds each file to the format's version and fields."""
    for top in files:
        top.only(("version", *SETTINGS, *SECTIONS))
        top.require("version")
        version = top.integer("version", 0)
        if version not in (None, FORMAT_VERSION):
            top.add(
                top.where("version"),
                "bad-value",
                f'"version" must be {FORMAT_VERSION}, the only one there is',
            )

    def merged(read: Callable[[Fields], Iterable[Given[ValueT]]]) -> dict[str, ValueT]:
        return _agreed([given for top in files for given in read(top)], problems)

    namespace, times = merged(_namespace), merged(_deadlines)
    vocabulary = merged(_vocabulary)
    _refuse_shared_synonyms(files, vocabulary, problems)
    return Settings(
        namespace=namespace.get("namespace", DEFAULT_NAMESPACE),
        deadline_ms=times.get("deadline", DEFAULT_DEADLINE_MS),
        connect_deadline_ms=times.get("connect_deadline", DEFAULT_CONNECT_DEADLINE_MS),
        abbreviations=merged(lambda top: _texts(top, "abbreviations")),
        vocabulary=vocabulary,
        prefixes=merged(lambda top: _texts(top, "prefixes", get_args(KeyClass))),
        limits=Limits(**merged(_limits)),
    )


def _agreed(given: Sequence[Given[ValueT]], problems: list[Problem]) -> dict[str, ValueT]:
    first: dict[str, tuple[ValueT, Place]] = {}
    for name, value, place in given:
        known, where = first.setdefault(name, (value, place))
        if known != value:
            message = f'"{name}" is given twice and differently; the other one is at {where}'
            problems.append(Problem.at(place, "declared-twice", message))
    return {name: value for name, (value, _) in first.items()}


def _namespace(top: Fields) -> Iterable[Given[str]]:
    if namespace := top.text("namespace"):
        if fault := name_fault(namespace, SEGMENT):
            top.add(top.where("namespace"), "bad-value", f'"namespace" {fault}')
        yield "namespace", namespace, top.where("namespace")


def _deadlines(top: Fields) -> Iterable[Given[int]]:
    for name in ("deadline", "connect_deadline"):
        if milliseconds := top.duration(name):
            yield name, milliseconds, top.where(name)


def _section(top: Fields, section: str) -> Iterable[tuple[Fields, Scalar, Node]]:
    for key, value in named(top, section):
        yield Fields(section, key.place, {key.text: (key, value)}, top.problems), key, value


def _texts(top: Fields, section: str, known: Sequence[str] = ()) -> Iterable[Given[str]]:
    for fields, key, value in _section(top, section):
        if known:
            fields.only(known)
        if text := fields.text(key.text):
            yield key.text, text, value.place


def _limits(top: Fields) -> Iterable[Given[int]]:
    for fields, key, value in _section(top, "limits"):
        fields.only(LIMITS)
        if key.text in LIMITS and (number := fields.integer(key.text, 1)):
            yield key.text, number, value.place


def _vocabulary(top: Fields) -> Iterable[Given[tuple[str, ...]]]:
    for fields, key, value in _section(top, "vocabulary"):
        synonyms = value.items if isinstance(value, Items) else ()
        texts = tuple(item.text for item in synonyms if isinstance(item, Scalar) and item.tag == "str")
        if not texts or len(texts) != len(synonyms):
            message = (
                f'"{shortened(key.text)}" must be a list of synonyms that are text, such as [info, data]'
            )
            fields.add(value.place, "wrong-type", message)
        elif key.text in texts:
            fields.add(value.place, "bad-value", f'"{shortened(key.text)}" is its own synonym')
        else:
            yield key.text, texts, value.place


def _refuse_shared_synonyms(
    files: Sequence[Fields], vocabulary: dict[str, tuple[str, ...]], problems: list[Problem]
) -> None:
    meant: dict[str, str] = {}
    places = {key.text: key.place for top in files for key, _ in named(top, "vocabulary")}
    for word, synonyms in vocabulary.items():
        for synonym in synonyms:
            other = meant.setdefault(synonym, word)
            if other != word:
                message = f'vocabulary: "{synonym}" is a synonym of "{word}" and of "{other}"; choose one'
                problems.append(Problem.at(places[word], "bad-value", message))
