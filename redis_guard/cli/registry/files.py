"""Which registry files a subcommand is about."""

from collections.abc import Sequence
from pathlib import Path


def registry_files(names: Sequence[str], config: Path | None) -> list[Path]:
    """The files that `names` (paths and patterns) lead to, else those that are configured; called as from here.

    Raises `RegistryError` and `ConfigError`.
    """
    from redis_guard.config import load_config
    from redis_guard.registry import expand

    here = Path.cwd()
    paths = expand(names, here) if names else load_config(here, config).registry
    return [path.relative_to(here) if path.is_relative_to(here) else path for path in paths]
