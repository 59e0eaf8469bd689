"""JSON that strict readers take.

Law of this file: ASCII, so that every stream takes it, and no half of a character: a path may hold bytes that are no
text, which Python keeps as lone surrogates, and which other languages refuse.
"""

import re
from json import dumps, loads

_LONE = re.compile("[\ud800-\udfff]")


def valid_json(document: object, indent: int | None = None) -> str:
    """The document in ASCII, with U+FFFD for what is no character."""
    text = dumps(document, ensure_ascii=False)
    whole = loads(_LONE.sub("\ufffd", text)) if _LONE.search(text) else document
    return dumps(whole, indent=indent)
