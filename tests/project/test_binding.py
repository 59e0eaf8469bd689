"""Arguments bound to the parameters of a method."""

import pytest

from redis_guard.project.model import Call
from redis_guard.rules.rg703_dangerous_command import _WITH_SUBCOMMANDS
from tests.project.seen import call


def given(source: str) -> dict[str, str]:
    return {name: argument.text for name, argument in call(source).arguments}


def test_positions_and_keywords():
    assert given("r.set('a', 1, 60, nx=True)") == {"name": "'a'", "value": "1", "ex": "60", "nx": "True"}


def test_more_positions_than_parameters_go_to_the_star():
    assert given("r.delete('a', 'b')") == {"names.0": "'a'", "names.1": "'b'"}


def test_what_a_star_hides_is_not_guessed():
    found = call("def f(rows, options): r.set('a', *rows, **options)")
    assert found.opaque
    assert [name for name, _ in found.arguments] == ["name"]


def test_keywords_behind_a_star_are_bound():
    assert given("def f(rows): r.set(*rows, ex=60)") == {"ex": "60"}


def test_lifetimes_are_told_by_unit():
    found = call("r.set('a', 1, px=60)")
    assert [(lifetime.parameter, lifetime.unit, lifetime.of_field) for lifetime in found.lifetimes] == [
        ("px", "ms", False)
    ]
    found = call("r.hexpire('a', 60, 'f')")
    assert [(lifetime.parameter, lifetime.unit, lifetime.of_field) for lifetime in found.lifetimes] == [
        ("seconds", "s", True)
    ]


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ("r.set('a', 1)", ["a"]),
        ("r.delete('a', 'b')", ["a", "b"]),
        ("r.mget(['a', 'b'])", ["a", "b"]),
        ("r.mget('a', 'b')", ["a", "b"]),
        ("r.mset({'a': 1, 'b': 2})", ["a", "b"]),
        ("r.eval('return 1', 2, 'a', 'b', 'c')", ["a", "b"]),
        ("r.rename('a', 'b')", ["a", "b"]),
        ("r['a'] = 1", ["a"]),
        ("'a' in r", ["a"]),
        ("del r['a']", ["a"]),
        ("r.lock('a')", ["a"]),
        ("r.ping()", []),
    ],
)
def test_keys_of_calls(source, keys):
    assert [key.template for key in call(source).keys] == keys


# -- raw commands


def raw(source: str) -> tuple[str | None, dict[str, str]]:
    found: Call = call(source)
    return found.command, {name: argument.text for name, argument in found.arguments}


def test_a_raw_command_is_seen_as_the_method_that_sends_it():
    assert raw("r.execute_command('SET', 'a', 1, 'EX', 60, 'NX')") == (
        "SET",
        {"name": "'a'", "value": "1", "ex": "60", "nx": "True"},
    )


def test_a_value_that_looks_like_a_token_is_a_value():
    assert raw("r.execute_command('SET', 'EX', 'NX')") == ("SET", {"name": "'EX'", "value": "'NX'"})


def test_a_raw_command_in_lower_case():
    assert raw("r.execute_command('expire', 'a', 60)")[0] == "EXPIRE"


def test_a_raw_command_of_two_words_has_no_method():
    command, _ = raw("r.execute_command('CONFIG SET', 'maxmemory', 1)")
    assert command == "CONFIG SET"


def test_a_raw_command_that_is_not_constant_is_unknown():
    found = call("def f(name): r.execute_command(name, 'a')")
    assert found.command is None
    assert found.keys == ()


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ("r.execute_command('CONFIG', 'SET', 'a', 'b')", "CONFIG SET"),
        ("r.execute_command('config', 'set', 'a', 'b')", "CONFIG SET"),
        ("r.execute_command(b'SCRIPT', b'FLUSH')", "SCRIPT FLUSH"),
        ("r.execute_command('CONFIG SET', 'a', 'b')", "CONFIG SET"),
        ("r.execute_command('SET', 'SET', 1)", "SET"),
        ("r.execute_command('FT.SEARCH', 'books', 'set')", "FT.SEARCH"),
        ("def f(a): r.execute_command('CONFIG', *a)", "CONFIG"),
    ],
)
def test_a_subcommand_may_be_an_argument_of_its_own(source, command):
    assert call(source).command == command


def test_every_administrative_subcommand_can_be_told_apart():
    for container, words in _WITH_SUBCOMMANDS.items():
        for word in words.split():
            assert call(f"r.execute_command('{container}', '{word}')").command == f"{container} {word}"
