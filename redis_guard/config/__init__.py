"""`[tool.redis-guard]` of pyproject.toml, and where the project's root is.

Law of this package: importing it is cheap. tomllib is loaded only for a file that
speaks of redis-guard.
"""

from redis_guard.config.load import config_places, find_project_root, load_config
from redis_guard.config.model import (
    DEFAULT_REGISTRY,
    TEST_ESCAPE,
    Allow,
    Config,
    SeverityName,
    default_config,
)
from redis_guard.config.problems import ConfigError, ConfigProblem

__all__ = [
    "DEFAULT_REGISTRY",
    "TEST_ESCAPE",
    "Allow",
    "Config",
    "ConfigError",
    "ConfigProblem",
    "SeverityName",
    "config_places",
    "default_config",
    "find_project_root",
    "load_config",
]
