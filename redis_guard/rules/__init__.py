"""One file per rule, found in this folder. No rule knows another."""

import importlib
import pkgutil
import re
from functools import cache

from redis_guard.rule import Rule

_NAME = re.compile(r"rg\d{3}_\w+")


@cache
def load_rules() -> tuple[Rule, ...]:
    """Every rule, by code."""
    found = [
        importlib.import_module(f"{__name__}.{module.name}").RULE
        for module in pkgutil.iter_modules(__path__)
        if _NAME.fullmatch(module.name)
    ]
    return tuple(sorted(found, key=lambda rule: rule.code))
