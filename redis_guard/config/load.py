"""Where the project begins and what it configures.

Law of this file: the nearest `[tool.redis-guard]` upwards decides both; nothing outside the way up is read.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from redis_guard.config.document import TABLE, Document, read_document
from redis_guard.config.keys import config_of
from redis_guard.config.model import Config, default_config
from redis_guard.config.problems import ConfigError, ConfigProblem
from redis_guard.plain_files import is_there

FILE_NAME = "pyproject.toml"


def find_project_root(start: Path, paths: Sequence[Path] = ()) -> Path:
    """The folder of the nearest pyproject.toml with `[tool.redis-guard]`, from `start` upwards.

    Without one, the folder of the nearest `.git`; without that, the common parent of `paths` (of `start`
    when there are none). Raises `ConfigError` where a file on the way cannot be read.
    """
    document = _nearest(start)
    return document.path.parent if document else _root_without_table(start, paths)


def load_config(start: Path, explicit: Path | None = None, paths: Sequence[Path] = ()) -> Config:
    """The configuration for `start` (a file or folder), or the one in the file `explicit`.

    A file named explicitly also says where the project is if `start` lies beneath its folder; otherwise the
    project is found from `start`. `paths` are those of the command line. Raises `ConfigError`.
    """
    if explicit is None:
        document = _nearest(start)
        root = document.path.parent if document else _root_without_table(start, paths)
        return config_of(document, root) if document else default_config(root)
    path = _absolute(explicit)
    document = read_document(path)
    if document is None:
        raise ConfigError([ConfigProblem(explicit, None, f"there is no [tool.{TABLE}] table in this file")])
    above = path.parent in (_absolute(start), *_absolute(start).parents)
    return config_of(document, path.parent if above else find_project_root(start, paths))


def config_places(start: Path, explicit: Path | None = None) -> list[Path]:
    """The files that decide for `start`, and those that would if they were there."""
    above = [folder / FILE_NAME for folder in _upwards(start)]
    return above if explicit is None else [_absolute(explicit), *above]


def _nearest(start: Path) -> Document | None:
    for folder in _upwards(start):
        path = folder / FILE_NAME
        if is_there(path) and (document := read_document(path)):
            return document
    return None


def _root_without_table(start: Path, paths: Sequence[Path]) -> Path:
    for folder in _upwards(start):
        if os.path.exists(folder / ".git"):  # noqa: PTH110
            return folder
    folders = [str(_folder(path)) for path in (paths or (start,))]
    return Path(os.path.commonpath(folders))


def _upwards(start: Path) -> Iterator[Path]:
    folder = _folder(start)
    yield folder
    yield from folder.parents


def _folder(path: Path) -> Path:
    absolute = _absolute(path)
    return absolute if os.path.isdir(absolute) else absolute.parent  # noqa: PTH112


def _absolute(path: Path) -> Path:
    # Path.resolve would follow symlinks, and then reported paths are not those that were asked about.
    return Path(os.path.abspath(path))  # noqa: PTH100
