"""Bytes to text and back."""

import ast
import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.source.read import Unreadable
from redis_guard.source.text import SourceText, decode

CODINGS = [
    "utf-8",
    "latin-1",
    "iso-8859-15",
    "cp1252",
    "koi8-r",
    "shift_jis",
    "euc-jp",
    "gb2312",
    "big5",
    "ascii",
]


def text_of(data: bytes) -> SourceText:
    source = decode(data)
    assert isinstance(source, SourceText)
    return source


def reason_of(data: bytes) -> Unreadable:
    refusal = decode(data)
    assert isinstance(refusal, Unreadable)
    assert "\n" not in refusal.reason
    return refusal


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize(
    "header", ["# -*- coding: {} -*-\n", "#!/usr/bin/python\r\n# vim: set fileencoding={}:\r\n"]
)
def test_the_cookie_says_how_to_decode_and_the_bytes_come_back(coding, header):
    letter = {
        "koi8-r": "я",
        "shift_jis": "あ",
        "euc-jp": "あ",
        "gb2312": "中",
        "big5": "中",
        "ascii": "a",
    }.get(coding, "é")
    data = (header.format(coding) + f"x = '{letter}'\n").encode(coding)
    source = text_of(data)
    assert letter in source.text
    assert source.exact
    assert source.encode(source.text) == data


def test_without_a_cookie_it_is_utf8():
    assert text_of("x = 'é'\n".encode()) == SourceText("x = 'é'\n", "utf-8", False, "\n", True)


def test_a_cookie_on_the_third_line_is_none():
    assert text_of(b"\n\n# coding: latin-1\n").encoding == "utf-8"


def test_a_cookie_after_a_line_of_code_is_none():
    assert text_of(b"x = 1\n# coding: latin-1\n").encoding == "utf-8"


def test_a_cookie_in_a_file_with_carriage_returns_only_is_read():
    assert text_of(b"#!python\r# coding: latin-1\rx = '\xe9'\r").text.endswith("x = 'é'\r")


def test_a_byte_order_mark_is_kept_apart_and_comes_back():
    data = codecs.BOM_UTF8 + b"x = 1\n"
    source = text_of(data)
    assert (source.text, source.bom, source.encoding) == ("x = 1\n", True, "utf-8")
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "newline"),
    [
        (b"", "\n"),
        (b"a", "\n"),
        (b"a\nb\n", "\n"),
        (b"a\r\nb\r\n", "\r\n"),
        (b"a\rb\r", "\r"),
        (b"a\r\nb\nc\n", "\n"),
        (b"a\nb\r\nc\r\n", "\r\n"),
    ],
)
def test_the_commonest_line_end_is_known_and_none_is_translated(data, newline):
    source = text_of(data)
    assert source.newline == newline
    assert source.encode(source.text) == data


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32"])
def test_wide_encodings_are_refused_by_name(coding):
    data = "x = 1\n".encode(coding)
    if coding == "utf-16-le":
        assert reason_of(data) == Unreadable("holds a null character; is it Python?", 1)
    else:
        assert f"is {coding.upper()}" in reason_of(data).reason


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"a = 1\nb = '\xe9'\n", 2, "is not UTF-8 and declares no other encoding: byte 0xe9"),
        (b"\xe9\n", 1, "is not UTF-8 and declares no other encoding: byte 0xe9"),
        (b"a\r\nb\rc\xff\n", 3, "is not UTF-8 and declares no other encoding: byte 0xff"),
        (b"# coding: ascii\nb = '\xe9'\n", 2, "is not ascii, which it declares: byte 0xe9"),
        (b"# coding: no-such-thing\n", 1, "no-such-thing"),
        (b"# coding: rot13\n", 1, "rot13"),
        (b"# coding: zlib\n", 1, "zlib"),
        (b"# coding: utf-7\n", 1, "not one for source"),
        (b"# coding: unicode_escape\n", 1, "not one for source"),
        (b"# coding: undefined\n", 1, "not one for source"),
        (b"# coding: utf-16\nx = 1\n", 1, "utf-16, which is not one for source"),
        (b"# coding: cp037\nx = 1\n", 1, "not one for source"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", 1, "utf-8"),
        (b"a\nb\nc\0d\n", 3, "null character"),
        (b"\x7fELF\0\0\xff\xfe\0", 1, "is not text"),
    ],
)
def test_what_cannot_be_decoded_is_said_in_one_line_with_its_place(data, line, words):
    refusal = reason_of(data)
    assert words in refusal.reason
    assert refusal.line == line


def test_a_codec_that_spells_one_text_two_ways_forbids_fixes():
    data = b"# coding: iso2022_jp\nx = 'a\x1b(B'\n"
    source = text_of(data)
    assert not source.exact
    assert source.encode(source.text) != data


cookies = st.sampled_from(
    [b"", b"# coding: latin-1\n", b"# coding: shift_jis\n", b"#coding=utf-16\n", codecs.BOM_UTF8]
)


@given(cookies, st.binary(max_size=200))
def test_any_bytes_are_refused_in_one_line_or_come_back(cookie, rest):
    data = cookie + rest
    source = decode(data)
    if isinstance(source, Unreadable):
        assert source.reason
        assert "\n" not in source.reason
    elif source.exact:
        assert source.encode(source.text) == data


@given(cookies, st.binary(max_size=60))
def test_what_the_parser_accepts_is_never_refused(cookie, rest):
    data = cookie + b"'''" + rest + b"'''\n"
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return
    assert isinstance(decode(data), SourceText)
