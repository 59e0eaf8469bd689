"""The codes and names of all rules, without loading one.

Law of this file: a rule is a file of its name; the house's tests hold the rules to it.
"""

import os
import re
from functools import cache
from pathlib import Path

_FILE = re.compile(r"(rg\d{3})_(\w+)\.pyc?")


@cache
def rule_names() -> dict[str, str]:
    """From code to name, in order of codes."""
    folder = Path(__file__).with_name("rules")
    found = filter(None, map(_FILE.fullmatch, sorted(os.listdir(folder))))  # noqa: PTH208 # names are all that is asked
    return {match[1].upper(): match[2].replace("_", "-") for match in found}
