"""Identifiers -> keys, and keys -> helper keys and back."""

import enum
import subprocess
import sys
from urllib.parse import unquote_to_bytes
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.crc import key_slot

from redis_guard.registry import KeyTemplate, Place, UseCase
from redis_guard.registry.helper_keys import SUFFIXES, HelperKeyError, HelperSuffix, helper_key, plain_key
from redis_guard.registry.keys import LONGEST_KEY, Identifier, IdentifierError, KeyMaker
from redis_guard.registry.model import Encoding

Written = str | int | UUID
TEXTS = st.text(min_size=1, max_size=12)
NASTY = st.text("%:{}/ \t\n\x00\x1f\x7f\x85\u00a0\u2003\u2028ax2F5é漢", min_size=1, max_size=8)
IDENTIFIERS = TEXTS | NASTY | st.integers() | st.uuids()


def maker(key: str = "ns:job:{id}", encoding: Encoding = "percent") -> KeyMaker:
    return KeyMaker(
        UseCase(
            name="job",
            primitive="lock",
            owner="web",
            description="One of a kind",
            failure="closed",
            fallback=None,
            ttl_ms=30_000,
            reason="",
            key=KeyTemplate.parse(key),
            explicit_key=encoding == "raw",
            encoding=encoding,
            version=1,
            deadline_ms=250,
            instance="default",
            place=Place("redis_guard.yaml", 1, 1),
        )
    )


class Colour(enum.StrEnum):
    RED = "red"


class Shelf(str, enum.Enum):  # noqa: UP042 - old code has them, and an f-string writes their name
    TOP = "top"


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("identifier", "written"),
    [
        ("42", b"42"),
        (42, b"42"),
        (-1, b"-1"),
        (UUID(int=7), b"00000000-0000-0000-0000-000000000007"),
        (b"\xff\x00", b"\xff%00"),
        ("a:b", b"a%3Ab"),
        ("100%", b"100%25"),
        ("{tag}", b"%7Btag%7D"),
        ("2001:db8::1", b"2001%3Adb8%3A%3A1"),
        ("a b\u00a0c\u2003d\u3000", b"a%20b%C2%A0c%E2%80%83d%E3%80%80"),
        ("\t\n\x00\x7f\x85", b"%09%0A%00%7F%C2%85"),
        ("José/漢字?#&+=", "José/漢字?#&+=".encode()),
        (Colour.RED, b"red"),
        (Level.HIGH, b"3"),
    ],
)
def test_percent_encodes_what_would_change_the_keys_shape_and_nothing_else(
    identifier: Identifier, written: bytes
) -> None:
    assert maker().key(identifier) == b"ns:job:" + written


@given(IDENTIFIERS | st.binary(min_size=1, max_size=12))
def test_percent_can_be_undone_so_no_two_identifiers_share_a_key(identifier: Identifier) -> None:
    key = maker().key(identifier)
    plain = identifier if isinstance(identifier, bytes) else f"{identifier}".encode()
    assert unquote_to_bytes(key.removeprefix(b"ns:job:")) == plain
    assert (key.count(b":"), key.count(b"{"), key.count(b"}")) == (2, 0, 0)


@given(NASTY, NASTY, NASTY, NASTY)
def test_percent_keeps_pairs_of_identifiers_apart_too(a: str, b: str, c: str, d: str) -> None:
    pair = maker("{one}:x:{two}")
    assert (pair.key(a, b) == pair.key(c, d)) == ((a, b) == (c, d))


@given(IDENTIFIERS, IDENTIFIERS)
def test_raw_is_what_an_f_string_of_the_template_writes(one: Written, two: Written) -> None:
    assert maker("a:{one}-{two}:b", "raw").key(one, two) == f"a:{one}-{two}:b".encode()
    assert maker("{{a}}:{one}/{rest*}", "raw").key(one, two) == f"{{a}}:{one}/{two}".encode()


@pytest.mark.parametrize(
    "identifier",
    ["2001:db8::1", "{tag}", "a b", Colour.RED, Shelf.TOP, Level.HIGH, -3, 10**30, UUID(int=1)],
)
def test_raw_writes_old_identifiers_as_old_code_did(identifier: Written) -> None:
    assert maker("login:{id}", "raw").key(identifier) == f"login:{identifier}".encode()


@given(st.binary(min_size=1, max_size=30))
def test_raw_takes_bytes_as_they_are(identifier: bytes) -> None:
    assert maker("a:{id}:b", "raw").key(identifier) == b"a:%b:b" % identifier


def test_a_template_without_placeholders_takes_no_identifier() -> None:
    alone = maker("ns:flags")
    assert (alone.key(), alone.placeholders) == (b"ns:flags", ())
    assert maker("a:{x}:{y}").placeholders == ("x", "y")


JOB = 'use case "job"'
WANTED = "pass a str, an int, a UUID or bytes"


@pytest.mark.parametrize("encoding", ["percent", "raw"])
@pytest.mark.parametrize(
    ("key", "identifiers", "message"),
    [
        ("a:{id}", (), f"{JOB} takes 1 identifier (id), and none was given"),
        ("a:{id}", ("1", "2"), f"{JOB} takes 1 identifier (id), and 2 were given"),
        ("a:{x}:{y}", ("1",), f"{JOB} takes 2 identifiers (x, y), and 1 was given"),
        ("a", ("1",), f"{JOB} takes no identifiers, and 1 was given"),
        (
            "a:{x}:{y}",
            ("1", ""),
            f"{JOB}: the identifier for {{y}} is empty; a key without it would be everybody's",
        ),
        (
            "a:{id}",
            (b"",),
            f"{JOB}: the identifier for {{id}} is empty; a key without it would be everybody's",
        ),
        ("a:{id}", (None,), f"{JOB}: the identifier for {{id}} is None; {WANTED}"),
        ("a:{id}", (True,), f"{JOB}: the identifier for {{id}} is a bool; {WANTED}"),
        ("a:{id}", (1.5,), f"{JOB}: the identifier for {{id}} is a float; {WANTED}"),
        ("a:{id}", (["1"],), f"{JOB}: the identifier for {{id}} is a list; {WANTED}"),
        ("a:{id}", (bytearray(b"1"),), f"{JOB}: the identifier for {{id}} is a bytearray; {WANTED}"),
        (
            "a:{id}",
            ("\ud800",),
            f"{JOB}: the identifier for {{id}} holds a lone surrogate, which no encoding can write;"
            " pass the bytes it was read from",
        ),
        (
            "a:{id}",
            ("x" * 1025,),
            f"{JOB}: the identifier for {{id}} is longer than a key may be (1,024 bytes); pass a hash of it",
        ),
        (
            "a:{id}",
            ("é" * 1024,),
            f"{JOB}: the key would have 2,050 bytes, and 1,024 are allowed; pass a hash of what is long",
        ),
    ],
)
def test_identifiers_that_make_no_key_are_refused_with_use_case_placeholder_and_advice(
    key: str, identifiers: tuple[Identifier, ...], message: str, encoding: Encoding
) -> None:
    with pytest.raises(IdentifierError) as caught:
        maker(key, encoding).key(*identifiers)
    assert str(caught.value) == message


def test_a_number_too_big_to_write_out_is_refused_as_well() -> None:
    with pytest.raises(IdentifierError, match="cannot be written out"):
        maker().key(10**5_000)


def test_the_longest_key_is_just_allowed() -> None:
    assert len(maker("a:{id}").key("x" * (LONGEST_KEY - 2))) == LONGEST_KEY


KEYS = st.binary(min_size=1, max_size=12) | NASTY.map(str.encode)
HELPERS = st.sampled_from(SUFFIXES)


@pytest.mark.parametrize(
    ("key", "helper"),
    [
        (b"ns:job:42", b"{ns:job:42}:fence"),
        (b"job:{42}", b"job:{42}:fence"),
        (b"{42}", b"{42}:fence"),
        (b"a{b", b"{a{b}:fence"),
    ],
)
def test_a_helper_key_wraps_its_key_or_follows_its_tag(key: bytes, helper: bytes) -> None:
    assert helper_key(key, "fence") == helper


@given(KEYS, HELPERS)
def test_a_helper_is_in_the_slot_of_its_key_and_leads_back_to_it(key: bytes, suffix: HelperSuffix) -> None:
    try:
        helper = helper_key(key, suffix)
    except HelperKeyError as error:
        assert b"}" in key
        assert "encoding: percent" in str(error)
        return
    assert key_slot(helper) == key_slot(key)
    back = plain_key(helper)
    assert back == key or b"{%b}" % back == key


@given(IDENTIFIERS, HELPERS)
def test_every_key_that_percent_makes_has_its_helpers(identifier: Identifier, suffix: HelperSuffix) -> None:
    key = maker().key(identifier)
    assert plain_key(helper_key(key, suffix)) == key


@pytest.mark.parametrize(
    "key", [b"ns:job:42", b"ns:job:fence", b"fence", b":fence", b"{}:fence", b"{a}:other", b"a}:wake", b""]
)
def test_what_is_no_helper_is_its_own_plain_key(key: bytes) -> None:
    assert plain_key(key) == key


def test_the_checker_is_spared_what_only_keys_need() -> None:
    code = "import sys, redis_guard.registry; sys.exit('uuid' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
