"""Import tokens hold everything that the parser sees."""

import ast
import sysconfig
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.source.imports import import_tokens, read_imports


def parsed_tokens(data: bytes) -> set[bytes]:
    """The truth: last modules and names of `from`, all components of `import`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Import):
            names.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.name for alias in node.names if alias.name != "*")
            names.add((node.module or "").rpartition(".")[2])
    return {name.encode() for name in names if name}


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("import a", "a"),
        ("import a.b.c as d", "a b c d"),
        ("import a, b.c", "a b c"),
        ("from a.b import c", "b c"),
        ("from .x.y import (a, b as c,\n d)", "y a b c d"),
        ("from . import a", "a"),
        ("from .import a", "a"),
        ("from ...a import b", "a b"),
        ("from . . .a import b", "a b"),
        ("from a . b import c", "b c"),
        ("from.a import b", "a b"),
        ("from a import*", "a"),
        ("from a import(b)", "a b"),
        ("from a import (  # the (old) ones; really\n    b,  # yes\n    c\n)", "a b c"),
        ("from a import \\\n    b, \\\n    c", "a b c"),
        ("from \\\n  a \\\r\n  import \\\n (b,\n\n c)", "a b c"),
        ("import \\\n a", "a"),
        ("x = 1; import a; from b import c", "a b c"),
        ("if x: import a", "a"),
        ("try: from a import b\nexcept E: import c", "a b c"),
        ("def f():\n\tfrom a import b\n\timport c", "a b c"),
        ("class A:\n    async def f(self):\n        import a", "a"),
        ("import a\rimport b\r\nimport c", "a b c"),
        ("\ufeffimport a", "a"),
        ("from importlib import import_module", "importlib import_module"),
        ("import_module('a.b')", "a b"),
        ('x = __import__( "a" )', "a"),
        ("import über", "über"),
        ("from a\timport\tb", "a b"),
        ("from a import b\fimport c", "a b import c"),
    ],
)
def test_each_way_to_import_is_read(source, tokens):
    assert import_tokens(source.encode()) >= {token.encode() for token in tokens.split()} - {b"import"}


@pytest.mark.parametrize(
    "source", ["", "x = 1", "imported = fromage", "r.from_url(important)", "'from a'", "import_names = 1"]
)
def test_what_imports_nothing_has_no_tokens(source):
    assert import_tokens(source.encode()) == frozenset()


def test_a_package_that_is_only_passed_through_is_no_token():
    assert import_tokens(b"from shop.clients import client") == {b"clients", b"client"}


def test_modules_are_dotted_as_written():
    source = b"from a.b import c\nfrom ..d import e\nfrom . import f\nfrom g . h import i\nimport j.k\n"
    assert read_imports(source).modules == {b"a.b", b"..d", b".", b"g.h"}


def test_no_import_in_the_standard_library_is_missed():
    library = Path(sysconfig.get_path("stdlib"))
    sources = sorted(
        path
        for pattern in ("*.py", "*/*.py")
        for path in library.glob(pattern)
        if "site-packages" not in path.parts
    )
    assert len(sources) > 300
    missed: dict[str, set[bytes]] = {}
    compared = 0
    for path in sources[:: max(1, len(sources) // 150)]:
        data = path.read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                truth = parsed_tokens(data)
        except (SyntaxError, ValueError):
            continue
        compared += 1
        if lost := truth - import_tokens(data):
            missed[str(path)] = lost
    assert compared > 100
    assert missed == {}


names = st.sampled_from(["a", "_b1", "import_x", "from_y", "redis"])
space = st.sampled_from([" ", "  ", "\t", " \\\n ", "\\\r\n"])
dotted = st.lists(names, min_size=1, max_size=3).map(".".join)


@st.composite
def statements(draw):
    gap = lambda: draw(space)  # noqa: E731 - a name for each of the many draws
    alias = draw(st.sampled_from(["", " as z"]))
    if draw(st.booleans()):
        return f"import{gap()}" + ",".join(draw(st.lists(dotted, min_size=1, max_size=3))) + alias
    listed = draw(st.lists(names, min_size=1, max_size=3))
    comma = draw(st.sampled_from([", ", ",", ", # (so) be it; import q\n"]))
    inside = comma.join(listed) + alias
    if "#" in comma or draw(st.booleans()):
        inside = f"({inside}{draw(st.sampled_from(['', ',', ' # end)' + chr(10)]))})"
    dots = draw(st.sampled_from(["", ".", "..", ". ."]))
    return f"from{gap()}{dots}{draw(dotted)}{gap()}import{gap()}{inside}"


@given(st.lists(statements(), min_size=1, max_size=4), st.sampled_from(["\n", "; ", "\r\n", "\nif x: "]))
def test_no_generated_import_is_missed(parts, joint):
    data = joint.join(parts).encode() + b"\n"
    assert import_tokens(data) >= parsed_tokens(data)


@pytest.mark.parametrize(
    "unit",
    [
        "import",
        "from.",
        "import (",
        "from.a.",
        "from a",
        "import \\\n",
        "import (#",
        "importa(",
        "from\\\n",
        "from . ",
        "import a.",
        "from import ",
        "import_module(",
        "frofrom ",
    ],
)
def test_time_grows_with_size_on_files_made_to_be_slow(unit):
    started = time.process_time()
    import_tokens(unit.encode() * (100_000 // len(unit)))
    assert time.process_time() - started < 5
