"""When words count as a reason."""

import re

LEAST_WORDS = 3

# Chinese and Japanese write no spaces: each character stands for a word there.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\S+")


def is_reason(text: str) -> bool:
    """Whether a text has the three words below which nothing is explained."""
    words = [word for word in _WORD.findall(text) if any(character.isalnum() for character in word)]
    return len(words) >= LEAST_WORDS
