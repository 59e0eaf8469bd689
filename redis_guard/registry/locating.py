"""Where a set of registry files lies: at paths, behind patterns, or inside an installed package.

Law of this file: a name that leads to no file is a problem like any other, and all of them are said at once.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from redis_guard.named_files import NoFileError, files_named
from redis_guard.registry.loader import Source, load_registry, load_sources
from redis_guard.registry.model import Registry
from redis_guard.registry.problems import Place, Problem, RegistryError


def expand(paths_or_globs: Iterable[str | os.PathLike[str]], root: Path) -> list[Path]:
    """The files, each once, of paths and patterns such as `services/*/redis_guard.yaml`, relative to `root`.

    Raises `RegistryError` with a line for each that leads to no file.
    """
    found: dict[Path, None] = {}
    problems: list[Problem] = []
    for name in (os.fspath(given) for given in paths_or_globs):
        try:
            found.update(dict.fromkeys(files_named(name, root)))
        except NoFileError as reason:
            problems.append(_nowhere(name, str(reason)))
    if problems:
        raise RegistryError(tuple(problems))
    return list(found)


def registry_from_files(*paths_or_globs: str | os.PathLike[str]) -> Registry:
    """The registry that these files form; relative names begin at the working directory.

    Raises `RegistryError` with everything that is wrong: of the names if it is them, else of the files.
    """
    return load_registry(expand(paths_or_globs, Path.cwd()))


def registry_from_package(package: str, resource: str) -> Registry:
    """The registry in the file `resource` (with `/` for folders) of the importable `package`.

    It does not depend on the working directory, and the package may lie in a zip file. Raises `RegistryError`.
    """
    # Loaded by those who need it: most registries are plain files.
    from importlib.resources import files

    try:
        file = files(package).joinpath(resource)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise  # the package is there and lacks something itself
        raise RegistryError((_nowhere(package, "cannot be imported: there is no such package"),)) from None
    except (TypeError, ValueError):
        raise RegistryError((_nowhere(package, "is not the name of a package"),)) from None
    if not file.is_file():
        reason = "is a directory, not a file" if file.is_dir() else f"does not exist in the package {package}"
        raise RegistryError((_nowhere(f"{package}/{resource}", reason),))
    return load_sources((Source(str(file), file.read_bytes),))


def _nowhere(name: str, reason: str) -> Problem:
    shown = " ".join(name.split()) or '""'
    return Problem.at(Place(shown, 1, 1), "unreadable-file", reason)
