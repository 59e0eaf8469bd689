"""How allows name rules: a code, the beginning of one, or a name.

Law of this file: a selector that means no rule means nothing; it is never taken for all of them.
"""

import re
from collections.abc import Mapping

_PREFIX = re.compile(r"RG\d{0,3}")


def resolve(selector: str, names: Mapping[str, str]) -> frozenset[str]:
    """The codes that a selector means, if any. `names` maps every rule's code to its name."""
    if _PREFIX.fullmatch(selector.upper()):
        return frozenset(code for code in names if code.startswith(selector.upper()))
    return frozenset(code for code, name in names.items() if name == selector.lower())
