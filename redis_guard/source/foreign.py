"""Directories under a project which hold other people's code or a tool's leavings.

Law of this file: only names that nobody gives a package of his own. `build`, `dist`, `env` and
`venv` are such names, so a virtual environment is known by its marker file instead.
"""

FOREIGN_NAMES = frozenset(
    {
        ".bzr",
        ".cache",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".hypothesis",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pixi",
        ".pyre",
        ".pytest_cache",
        ".pytype",
        ".redis_guard_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "bower_components",
        "dist-packages",
        "node_modules",
        "site-packages",
    }
)
"""Skipped wherever they lie."""

ENVIRONMENT_MARKERS = ("pyvenv.cfg", "conda-meta")
"""An entry of this name makes its directory an environment: PEP 405, and conda's records."""
