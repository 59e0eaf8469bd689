"""The registry: who owns which key. Reached by checker, runtime and audit alike.

Law of this package: it imports the standard library and PyYAML alone, and a value it hands out is right. What makes
keys is imported from `redis_guard.registry.keys`: the checker needs none of it.
"""

from redis_guard.registry.durations import (
    DurationError,
    DurationRange,
    format_duration,
    parse_duration,
    parse_range,
)
from redis_guard.registry.loader import Source, load_registry, read_registry, read_sources, source_of
from redis_guard.registry.locating import expand, registry_from_files, registry_from_package
from redis_guard.registry.model import EMPTY_REGISTRY, Entry, Keyspace, Limits, Owner, Registry, UseCase
from redis_guard.registry.problems import Place, Problem, RegistryError
from redis_guard.registry.templates import Hole, KeyTemplate, TemplateError

__all__ = [
    "EMPTY_REGISTRY",
    "DurationError",
    "DurationRange",
    "Entry",
    "Hole",
    "KeyTemplate",
    "Keyspace",
    "Limits",
    "Owner",
    "Place",
    "Problem",
    "Registry",
    "RegistryError",
    "Source",
    "TemplateError",
    "UseCase",
    "expand",
    "format_duration",
    "load_registry",
    "parse_duration",
    "parse_range",
    "read_registry",
    "read_sources",
    "registry_from_files",
    "registry_from_package",
    "source_of",
]
