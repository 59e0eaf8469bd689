"""Which project a start is made for, and the settings that hold in it before.

Law of this file: a table of redis-guard decides; without one the project is where its pyproject.toml is, and nothing is
looked for above the repository.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from redis_guard.config import Config, default_config, load_config
from redis_guard.config.load import FILE_NAME
from redis_guard.init.steps import InitError
from redis_guard.plain_files import is_there


def place(paths: Sequence[str]) -> Config:
    """The project around the first path, or around the working directory. Raises Mistake."""
    named = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 # links keep the name that was given
    for given, path in zip(paths, named, strict=True):
        if not is_there(path):
            raise InitError(f"{given}: no such file or directory")
    start = named[0] if named else Path.cwd()
    config = load_config(start, None, named)
    if config.source is not None:
        return config
    folder = start if start.is_dir() else start.parent
    for above in (folder, *folder.parents):
        if is_there(above / FILE_NAME) or is_there(above / ".git"):
            return default_config(above)
    return config
