"""What is known of an argument: constants, kinds, None, units, ingredients."""

import pytest

from tests.project.seen import call, expiry

# -- constants


@pytest.mark.parametrize(
    ("setting", "value", "constants"),
    [
        ("", "60", (60,)),
        ("", "-1", (-1,)),
        ("", "60 * 60 * 24", (86_400,)),
        ("", "int(0.5)", (0,)),
        ("", "round(1.6)", (2,)),
        ("", "int('60')", (60,)),
        ("", "10 // 3", (3,)),
        ("", "1 // 0", None),
        ("", "10 ** 100000", None),
        ("DAY = 24 * 60 * 60", "7 * DAY", (604_800,)),
        ("A = 5\nB = A", "B", (5,)),
        ("class T:\n    DAY = 86400", "T.DAY", (86_400,)),
        ("import enum\nclass T(enum.IntEnum):\n    DAY = 86400", "T.DAY.value", (86_400,)),
        ("A, B = 1, 2", "B", (2,)),
        ("A, *B = 1, 2", "A", (1,)),
        ("A, *B = 1, 2", "B", None),
        ("from datetime import timedelta\nD = timedelta(hours=1)", "D.total_seconds()", (3600.0,)),
        ("if r:\n    A = 1\nelse:\n    A = 2", "A", (1, 2)),
        ("A = int(input())", "A", None),
        ("A = B\nB = A", "A", None),
        ("A = 1\nA = A + 1", "A", (2,)),
        ("A = 1\nfor i in r:\n    A = A + 1", "A", None),
    ],
)
def test_constants_are_calculated_from_what_is_written(setting, value, constants):
    assert expiry(f"{setting}\nr.set('a', 1, ex={value})").constants == constants


def test_both_branches_of_an_expression_are_constants():
    assert expiry("def f(a): r.set('a', 1, ex=0 if a else 60)").constants == (0, 60)


def test_the_right_side_of_or_stands_in_for_what_is_false():
    assert expiry("r.set('a', 1, ex=0 or 60)").constants == (60,)
    assert expiry("r.set('a', 1, ex=5 or 60)").constants == (5,)


def test_a_default_is_one_value_of_several():
    argument = expiry("DAY = 86400\ndef f(ttl=DAY): r.set('a', 1, ex=ttl)")
    assert argument.constants is None
    assert argument.some == (86_400,)


def test_a_constant_that_a_test_rules_out_does_not_count():
    source = "def f(a):\n    ttl = 0 if a else 60\n    if ttl > 0:\n        r.set('a', 1, ex=ttl)"
    assert expiry(source).constants == (60,)


def test_a_constant_of_another_file_is_followed():
    assert expiry("from conf import DAY\nr.set('a', 1, ex=DAY)", conf="DAY = 86400").constants == (86_400,)
    assert expiry("import conf\nr.set('a', 1, ex=conf.DAY)", conf="DAY = 86400").constants == (86_400,)


def test_an_attribute_that_a_subclass_has_too_may_have_other_values():
    source = """
    class Base:
        ttl = 0

        def put(self):
            r.set("a", 1, ex=self.ttl)


    class Day(Base):
        ttl = 86400
    """
    assert expiry(source).constants is None


def test_an_attribute_that_others_store_into_may_have_other_values():
    source = """
    class Base:
        ttl = 0

        def put(self):
            r.set("a", 1, ex=self.ttl)


    def change(base):
        base.ttl = 60
    """
    assert expiry(source).constants is None


# -- kinds


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("None", "none"),
        ("True", "bool"),
        ("60", "int"),
        ("0.5", "float"),
        ("'a'", "str"),
        ("b'a'", "bytes"),
        ("f'{r}'", "str"),
        ("str(r)", "str"),
        ("json.dumps(r)", "str"),
        ("timedelta(days=1)", "timedelta"),
        ("2 * timedelta(days=1)", "timedelta"),
        ("datetime(2030, 1, 1)", "datetime"),
        ("datetime.now() + timedelta(days=1)", "datetime"),
        ("datetime.now() - datetime(2030, 1, 1)", "timedelta"),
        ("datetime.now().replace(hour=0)", "datetime"),
        ("unknown", "unknown"),
    ],
)
def test_kinds_of_values(value, kind):
    head = "import json\nfrom datetime import datetime, timedelta\n"
    argument = call(f"{head}r.set('a', {value})").argument("value")
    assert argument is not None
    assert argument.kind == kind


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [("str", "str"), ("int", "int"), ("bytes", "bytes"), ("timedelta", "timedelta"), ("list", "unknown")],
)
def test_an_annotation_tells_the_kind(annotation, kind):
    head = "from datetime import timedelta\n"
    argument = call(f"{head}def f(value: {annotation}): r.set('a', value)").argument("value")
    assert argument is not None
    assert argument.kind == kind


@pytest.mark.parametrize(
    ("value", "milliseconds"),
    [
        ("timedelta(2)", 172_800_000),
        ("timedelta(minutes=5, seconds=1)", 301_000),
        ("timedelta(milliseconds=500)", 500),
        ("D", 3_600_000),
        ("2 * D", 7_200_000),
        ("D + timedelta(minutes=1)", 3_660_000),
        ("D - timedelta(minutes=1)", 3_540_000),
        ("timedelta(seconds=unknown)", None),
        ("timedelta(**unknown)", None),
        ("60", None),
    ],
)
def test_the_length_of_a_timedelta(value, milliseconds):
    head = "from datetime import timedelta\nD = timedelta(hours=1)\n"
    assert expiry(f"{head}def f(unknown): r.set('a', 1, ex={value})").milliseconds == milliseconds


# -- None


@pytest.mark.parametrize(
    "value",
    [
        "None",
        "{'a': 1}.get(key)",
        "options.get('ttl')",
        "anything.get('ttl', None)",
        "getattr(anything, 'ttl', None)",
        "os.environ.get('TTL')",
        "os.getenv('TTL')",
        "{'a': 1, 'b': None}[key]",
        "ttl or None",
        "ttl and None",
        "None if key else 60",
        "ttl if ttl else None",
        "given",
        "declared",
    ],
)
def test_ways_to_none(value):
    source = f"""
    import os

    def f(key, ttl, anything, given=None, declared: int | None = 5, **options):
        r.set("a", 1, ex={value})
    """
    assert expiry(source).may_be_none


@pytest.mark.parametrize(
    "value",
    [
        "60",
        "ttl",
        "ttl or 60",
        "given or 60",
        "60 if given is None else given",
        "given if given is not None else 60",
        "int(given)",
        "given * 1000",
        "{'a': 1}[key]",
        "{'a': 1}.get(key, 60)",
        "anything.get('ttl')",
        "options['ttl']",
        "f'{given}'",
        "max(given, 60)",
    ],
)
def test_what_says_nothing_of_none(value):
    source = f"""
    def f(key, ttl, anything, given=None, **options):
        r.set("a", 1, ex={value})
    """
    assert not expiry(source).may_be_none


@pytest.mark.parametrize(
    ("annotation", "none"),
    [
        ("int | None", True),
        ("None | int", True),
        ("'int | None'", True),
        ("Optional[int]", True),
        ("typing.Optional[int]", True),
        ("Union[int, None]", True),
        ("Union[int, str]", False),
        ("Annotated[int | None, 'seconds']", True),
        ("int", False),
        ("list[int | None]", False),
    ],
)
def test_annotations_that_allow_none(annotation, none):
    head = "import typing\nfrom typing import Annotated, Optional, Union\n"
    assert expiry(f"{head}def f(ttl: {annotation}): r.set('a', 1, ex=ttl)").may_be_none is none


TO_MS = """
def to_ms(span):
    if span is None:
        return span
    return int(span * 1000)
"""


def test_a_function_that_hands_on_its_argument_gives_none_where_it_is_given_none():
    assert expiry(f"{TO_MS}\ndef f(ttl=None): r.set('a', 1, px=to_ms(ttl))").may_be_none
    assert not expiry(f"{TO_MS}\nr.set('a', 1, px=to_ms(60))").may_be_none
    assert not expiry(f"{TO_MS}\ndef f(ttl): r.set('a', 1, px=to_ms(ttl))").may_be_none


def test_a_function_that_hands_on_a_guarded_argument_gives_something():
    source = f"{TO_MS}\ndef f(ttl=None):\n    if ttl is not None:\n        r.set('a', 1, px=to_ms(ttl))"
    assert not expiry(source).may_be_none


def test_an_annotation_of_what_is_returned_speaks_where_the_body_does_not():
    assert expiry("def ttl() -> int | None:\n    return load()\nr.set('a', 1, ex=ttl())").may_be_none
    assert not expiry("def ttl() -> int:\n    return load()\nr.set('a', 1, ex=ttl())").may_be_none


def test_overloads_are_not_ways_to_none():
    source = """
    from typing import overload

    @overload
    def ms(span: None) -> None: ...

    @overload
    def ms(span: int) -> int: ...

    def ms(span):
        return None if span is None else span * 1000

    r.set("a", 1, px=ms(60))
    """
    assert not expiry(source).may_be_none


def test_a_property_is_followed():
    source = """
    class Conf:
        @property
        def ttl(self):
            return None if self.for_ever else 60

    conf = Conf()
    r.set("a", 1, ex=conf.ttl)
    """
    assert expiry(source).may_be_none


def test_a_function_that_calls_itself_ends():
    assert not expiry("def f(n): return f(n - 1)\nr.set('a', 1, ex=f(3))").may_be_none


def test_an_attribute_that_begins_as_none_and_is_filled_later_says_nothing():
    source = """
    class Store:
        def __init__(self):
            self.ttl = None

        def open(self, seconds):
            self.ttl = seconds

        def put(self):
            r.set("a", 1, ex=self.ttl)
    """
    assert not expiry(source).may_be_none


def test_an_attribute_that_keeps_an_optional_parameter_may_be_none():
    source = """
    class Store:
        def __init__(self, ttl: int | None):
            self.ttl = ttl

        def put(self):
            r.set("a", 1, ex=self.ttl)
    """
    assert expiry(source).may_be_none


def test_an_attribute_that_keeps_a_defaulted_parameter_is_something():
    source = """
    class Store:
        def __init__(self, ttl: int | None):
            if ttl is None:
                ttl = 60
            self.ttl = ttl

        def put(self):
            r.set("a", 1, ex=self.ttl)
    """
    assert not expiry(source).may_be_none


def test_a_global_that_a_function_fills_says_nothing():
    source = """
    TTL = None

    def init(seconds):
        global TTL
        TTL = seconds

    def put():
        r.set("a", 1, ex=TTL)
    """
    assert not expiry(source).may_be_none


# -- ingredients


def test_names_calls_and_operators_of_a_value():
    argument = expiry(
        "import time\ndef f(n, ttl):\n    t = time.time() + n\n    r.set('a', 1, ex=int(t) + ttl)"
    )
    assert {"t", "ttl"} <= argument.words
    assert "time.time" in argument.calls
    assert "+" in argument.operators


def test_the_attribute_that_a_value_was_taken_by_last():
    assert expiry("def f(d): r.set('a', 1, ex=int(d.seconds))").attribute == "seconds"
    assert expiry("def f(d): r.set('a', 1, ex=d.total_seconds())").attribute == "total_seconds"
    assert expiry("def f(d): r.set('a', 1, ex=d)").attribute is None


def test_an_argument_is_shown_as_it_is_written():
    assert expiry("def f(a, b): r.set('a', 1, ex=(a - b).seconds)").text == "(a - b).seconds"


# -- odd code


@pytest.mark.parametrize(
    "value",
    [
        " + ".join(["ttl"] * 900),
        " * ".join(["ttl"] * 900),
        "ttl * (" * 80 + "1" + ")" * 80,
        " or ".join(["ttl"] * 900),
        "ttl" + ".a" * 400,
        "-" * 90 + "ttl",
    ],
)
def test_very_long_expressions_are_described(value):
    assert not expiry(f"def f(ttl):\n    if {value}:\n        r.set('a', 1, ex={value})").may_be_none


def test_many_bindings_are_bounded():
    bindings = "\n".join(
        f"    a{n} = a{n - 1} + a{n - 1} if r else a{n - 1} or a{n - 1}" for n in range(1, 200)
    )
    assert expiry(f"def f(a0=None):\n{bindings}\n    r.set('a', 1, ex=a199)").constants is None
