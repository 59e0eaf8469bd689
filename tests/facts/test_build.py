"""Any text gives facts: those of a program, or why there are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redis_guard.facts.build import module_facts
from redis_guard.facts.codec import decode, encode
from redis_guard.lines import Lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "cannot be parsed"),
        ("print 'python 2'\n", "cannot be parsed"),
        ("x = " + "(" * 5000 + "a" + ")" * 5000, "nested too deeply"),
        ("x = " + "lambda: " * 5000 + "1\n", "nested too deeply"),
        ("x = a" + ".b()" * 5000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, said: str) -> None:
    facts = module_facts("m.py", text)
    assert facts.error is not None
    assert said in facts.error[2]
    assert "\n" not in facts.error[2]
    assert facts.scopes == ()


def test_a_syntax_error_names_its_line() -> None:
    facts = module_facts("m.py", "x = 1\ny = (\n")
    assert facts.error is not None
    assert facts.error[0] >= 2


def test_a_long_sum_is_no_depth() -> None:
    assert module_facts("m.py", "x = " + " + ".join(["a"] * 900)).error is None


@pytest.mark.parametrize(
    "text",
    [
        "async def f():\n    async with a() as b, c() as (d, e):\n        await b\n",
        "match x:\n    case [a, *rest] | {'k': a, **rest} if a:\n        pass\n",
        "try:\n    pass\nexcept* E as e:\n    pass\n",
        "class A(B, metaclass=M):\n    x: 'list[int]' = None\n    def f(self, /, a, *, b=1): ...\n",
        "def f():\n    nonlocal_x = 1\n    def g():\n        nonlocal nonlocal_x\n        nonlocal_x = 2\n",
        "type Pair[T] = tuple[T, T]\n",
        "def f[T](x: T) -> T: return x\n",
        "x = f'{a!r:>{width}}' 'b' f\"{c}\"\n",
        "del a.b, c[0], d\n",
        "with (open(a) as b, open(c) as d): pass\n",
        "\ufeffx = 1\n",
        "x = 1\r\ny = 2\r\n",
        "",
    ],
)
def test_modern_and_odd_syntax_is_read(text: str) -> None:
    assert module_facts("m.py", text).error is None


def test_facts_survive_the_cache() -> None:
    facts = module_facts("m.py", "import redis\nr = redis.Redis()\nr.set('a', 1)\n")
    assert decode(encode(facts)) == facts


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_bytes_that_are_no_facts_are_nobody(data: bytes) -> None:
    decode(data)


def test_a_cache_file_cannot_call_anything() -> None:
    import os
    import pickle

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, ("echo bad",)

    assert decode(pickle.dumps(Evil())) is None


@given(st.text(alphabet="abx= ()[]{}:\n\t.,'\"#\\*@&|", max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    module_facts("m.py", text)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("import redis\nprint 'x'\n", 2, "Missing parentheses in call to 'print'"),
        ("x = 1\ny = (\n", 2, "was never closed"),
        ("if x:\n        a\n\tb\n", 3, "inconsistent use of tabs"),
        ("x = 1\n\ny = $\n", 3, "invalid"),
        ("x = 'a' b'b'\n", 1, "cannot mix bytes and nonbytes literals"),
        ("x = " + "'a' " * 5000, 1, "unexpected code"),
    ],
)
def test_a_refusal_says_the_line_and_what_is_wrong(text: str, line: int, said: str) -> None:
    error = module_facts("m.py", text).error
    assert error is not None
    assert error[0] == line
    assert said in error[2]


@given(st.text(alphabet="ab =()[]{}'\"\\\n\r\t\f:#.,+é$1", max_size=40))
@settings(deadline=None, max_examples=200)
def test_the_place_of_a_refusal_is_in_the_text(text: str) -> None:
    error = module_facts("m.py", text).error
    if error is not None:
        lines = Lines.of(text)
        assert 1 <= error[0] <= max(1, len(lines))
        assert 1 <= error[1] <= len(lines.line(error[0])) + 1


def test_depth_is_refused_where_it_is() -> None:
    deep = module_facts("m.py", "x = 1\ny = " + "-" * 1000 + "1\n")
    long = module_facts("m.py", "x = 1\n\ny = " + " + ".join(["a"] * 3000) + "\n")
    assert deep.error == (2, 1, "is nested too deeply to be analysed")
    assert long.error == (3, 1, "has an expression of more than 2000 operators")


@pytest.mark.parametrize(
    "literal",
    ["1j", "1e400", "9" * 5000, "0x" + "f" * 5000, "0o7", "1_000", "b'\\xff'", "'\\ud800'", "...", "-0.0"],
)
def test_any_literal_survives_the_cache(literal: str) -> None:
    facts = module_facts("m.py", f"x = f({literal})\n")
    assert facts.error is None
    assert decode(encode(facts)) == facts


def test_odd_escapes_are_nobodys_warning(recwarn: pytest.WarningsRecorder) -> None:
    assert module_facts("m.py", "x = '\\d'\ny = f('\\w', 1if x else 2)\n").error is None
    assert not recwarn.list


def test_an_annotation_that_mixes_bytes_and_text_is_none() -> None:
    assert module_facts("m.py", "def f(a: \"'a' b'b'\"): a.get(1)\n").error is None
