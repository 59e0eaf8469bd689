"""Code without what a formatter changes, for recognising it again.

Law of this file: the result is the same under every version of Python, so the standard tokenizer, which
splits f-strings in some versions only, is not used.
"""

import re
from hashlib import sha256

_TOKEN = re.compile(
    r"""
    (?P<space>  [\s\\]+ | \#[^\r\n]* )
  | (?P<string> [a-zA-Z]{0,2}
                (?: \"{3}.*?\"{3} | '{3}.*?'{3} | "(?:\\.|[^"\\\r\n])*" | '(?:\\.|[^'\\\r\n])*' ) )
  | (?P<word>   \w+ )
  | (?P<other>  . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_SINGLE_QUOTED = re.compile(r"""[a-zA-Z]*'[^'"\\]*'""")
_LONGEST = 120


def normal_form(code: str) -> str:
    """Code with one blank between tokens; comments, trailing commas and the choice of quotes do not matter.

    A long text is cut and ends in a hash of the whole.
    """
    tokens: list[str] = []
    for match in _TOKEN.finditer(code):
        if match.lastgroup == "space":
            continue
        token = match[0]
        if _PLAIN_SINGLE_QUOTED.fullmatch(token):
            token = token.replace("'", '"')
        if token in ")]}" and tokens and tokens[-1] == ",":
            tokens.pop()
        tokens.append(token)
    whole = " ".join(tokens)
    if len(whole) <= _LONGEST:
        return whole
    digest = sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{whole[: _LONGEST - 17]} ... {digest}"
