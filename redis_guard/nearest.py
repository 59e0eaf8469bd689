"""Names that resemble a misspelt one: the "did you mean" of every message.

Law of this file: a suggestion is close or absent; a far-fetched one is worse than none.
"""

from collections.abc import Iterable

CUTOFF = 0.6


def nearest_names(written: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Up to `most` of the `known` names that resemble `written`, the closest first; case, `-` and `_` do not count."""
    # difflib is loaded for those who made a mistake only.
    from difflib import get_close_matches

    # Of two names that differ in nothing that counts, the first is meant.
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(_folded(name), name)
    # The comparison is quadratic in the length, and no name is that long.
    close = get_close_matches(_folded(written[:100]), folded, n=most, cutoff=CUTOFF)
    return tuple(folded[name] for name in close)


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """`; did you mean "x"?` where one of the `known` names is close, else nothing."""
    nearest = nearest_names(written, known, 1)
    return f'; did you mean "{nearest[0]}"?' if nearest else ""


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-")
