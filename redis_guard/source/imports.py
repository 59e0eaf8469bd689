"""What a file imports, out of its bytes.

Law of this file: a superset of the truth. Words in strings and comments may be taken for imports,
no import is missed (a test compares with the parser over the standard library). Identifiers are
compared as they are written; the parser's normal form of exotic letters is not sought.
"""

import re
from dataclasses import dataclass

# Both expressions begin with a literal word, which the engine finds many times faster than it can
# test the beginning of each line. The bounds keep them linear on a file made to be slow.

_IMPORT = re.compile(
    rb"""
    import
    (
        \w{1,20}+ \( \s*+ ["'] [\w.\x80-\xff]++            # import_module("a.b"), __import__("a.b")
    |
        \b (?: [ \t\f]++ | \\[\r\n]{1,2}+ )*+
        (?:
            \( [\w\x80-\xff\s,.*\\]*+                        # names in parentheses, with comments
               (?: \# [^\r\n]*+ [\w\x80-\xff\s,.*\\]*+ )*+
        |
            (?: [\w\x80-\xff \t\f,.*]++ | \\[\r\n]{1,2}+ )*+  # names up to the end of the statement
        )
    )
    """,
    re.VERBOSE,
)
_COMMENT = re.compile(rb"#[^\r\n]*+")
_FROM = re.compile(
    rb"""
    from (?= [\s.\\] ) [ \t\f\\\r\n]*+
    (
        (?: \. [ \t\f\\\r\n]*+ )*+
        (?: (?!import\b) [\w\x80-\xff]++ (?: [ \t\f\\\r\n]*+ \. [ \t\f\\\r\n]*+ [\w\x80-\xff]++ ){0,99}+ )?+
    )
    [ \t\f\\\r\n]*+ import
    """,
    re.VERBOSE,
)
_SPACES = bytes.maketrans(b"\\\r\n\t\f", b"     ")
_NOT_IN_NAMES = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") else ord(" ") for byte in range(256)
)
_NOT_NAMES = frozenset({b"", b"as", b"import", b"_module", b"__"})


@dataclass(frozen=True, slots=True)
class Imports:
    """Names as bytes, because nothing here is worth decoding."""

    tokens: frozenset[bytes]
    """Last components of the modules imported from, all components of modules imported whole, and
    all names imported. `import a.b` makes `a.client` reachable, `from a.b import c` does not."""
    modules: frozenset[bytes]
    """Dotted modules of the `from` forms, with their leading dots."""


def read_imports(data: bytes) -> Imports:
    """Read all imports, wherever in the file and in a line they stand."""
    modules = set(_FROM.findall(data))
    together = b",".join(modules)
    if b" " in together or b"\\" in together:
        modules = {module.translate(_SPACES).replace(b" ", b"") for module in modules}
    stretches = b" ".join(_IMPORT.findall(data))
    if b"#" in stretches:
        stretches = _COMMENT.sub(b"", stretches)
    tokens = set(stretches.translate(_NOT_IN_NAMES).split())
    tokens.update([module.rpartition(b".")[2] for module in modules])
    tokens.difference_update(_NOT_NAMES)
    return Imports(frozenset(tokens), frozenset(modules))


def words(data: bytes) -> list[bytes]:
    """Everything in the bytes that could be a name, as often as it stands there."""
    return data.translate(_NOT_IN_NAMES).split()


def import_tokens(data: bytes) -> frozenset[bytes]:
    """The last components of all modules and all names that a file imports."""
    return read_imports(data).tokens
