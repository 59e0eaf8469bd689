"""Which files the key `registry` names.

Law of this file: whatever the configuration names exists; only the default may be missing.
"""

from collections.abc import Iterable
from pathlib import Path

from redis_guard.config.values import Values
from redis_guard.named_files import NoFileError, files_named


def registry_files(values: Values, root: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """The files of all paths and patterns, each once; one without a file is a problem."""
    found: dict[Path, None] = {}
    for name in names:
        try:
            found.update(dict.fromkeys(files_named(name, root)))
        except NoFileError as reason:
            values.add("registry", f'"registry" names {name}, which {reason}')
    return tuple(found)
