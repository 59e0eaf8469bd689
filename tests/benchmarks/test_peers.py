from pathlib import Path

import pytest

from benchmarks import peers
from benchmarks.peers import Peer, PeerMissingError

EVERY = (peers.RUFF, peers.RIPGREP, peers.FLAKE8, peers.SEMGREP, peers.PYLINT, peers.FIXIT)


def test_settings_of_peers_are_there() -> None:
    named = [
        Path(argument)
        for peer in EVERY
        for argument in peer.arguments
        if argument.startswith(str(peers.SETTINGS))
    ]

    assert len(named) == 2
    assert all(path.is_file() for path in named)


def test_a_peer_that_cannot_be_installed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    absent = Peer("absent", (str(tmp_path / "absent.whl"),), "absent", (), "one rule")

    with pytest.raises(PeerMissingError, match="absent cannot be installed: "):
        peers.install(absent, tmp_path)

    assert not (tmp_path / "absent" / ".stamp").exists()


def test_an_installed_peer_is_used_again(tmp_path: Path) -> None:
    programs = tmp_path / "ruff" / "bin"
    programs.mkdir(parents=True)
    (tmp_path / "ruff" / ".stamp").write_text("ruff", encoding="utf-8")

    assert peers.install(peers.RUFF, tmp_path) == programs


def test_a_peer_is_described_with_the_version_that_is_installed(tmp_path: Path) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    (site / "fixit-2.2.1.dist-info").mkdir(parents=True)
    (site / "fixit-2.2.1.dist-info" / "METADATA").write_text(
        "Name: fixit\nVersion: 2.2.1\n", encoding="utf-8"
    )

    assert peers.described(peers.FIXIT, tmp_path / "bin") == "fixit 2.2.1, one rule"


def test_paths_come_last(tmp_path: Path) -> None:
    command = peers.command(peers.RIPGREP, tmp_path, tmp_path, ("a.py", "b.py"))

    assert command.argv == (str(tmp_path / "rg"), "-l", "-i", "redis", "a.py", "b.py")
