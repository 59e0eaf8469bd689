"""How rules are named, and what counts as a reason."""

import pytest

from redis_guard.silence.comments import unknown
from redis_guard.silence.reason import is_reason
from redis_guard.silence.selectors import resolve


@pytest.mark.parametrize(
    ("selector", "codes"),
    [
        ("RG101", {"RG101"}),
        ("rg101", {"RG101"}),
        ("missing-ttl", {"RG401"}),
        ("Missing-TTL", {"RG401"}),
        ("RG1", {"RG101", "RG102"}),
        ("RG2", {"RG201", "RG202"}),
        ("RG20", {"RG201", "RG202"}),
        ("RG999", set()),
        ("RG8", set()),
        ("missing", set()),
        ("ALL", set()),
        ("E501", set()),
        ("RG1012", set()),
        ("", set()),
    ],
)
def test_codes_beginnings_of_codes_and_names_select_rules(selector, codes, names):
    assert resolve(selector, names) == codes


def test_rg_alone_selects_every_rule(names):
    assert resolve("RG", names) == set(names)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("RG1010", "RG101"),
        ("rg1010", "RG101"),
        ("mising-ttl", "missing-ttl"),
        ("MISSING_TTL", "missing-ttl"),
        ("direct-calls", "direct-call"),
    ],
)
def test_a_wrong_selector_gets_a_suggestion(wrong, meant, names):
    assert unknown(wrong, names).endswith(f"; did you mean `{meant}`?")


def test_a_selector_like_nothing_gets_the_way_to_all_rules(names):
    assert unknown("quux", names).endswith("; `redis-guard rule --all` lists the rules")


@pytest.mark.parametrize(
    "text", ["the pool warms", "one two three", "moved by OPS-12 soon", "移行が終わるまで", "weg mit dem"]
)
def test_three_words_are_a_reason(text):
    assert is_reason(text)


@pytest.mark.parametrize("text", ["", "legacy", "it's fine", "- - - -", "... !!! ???", "移行"])
def test_fewer_are_not(text):
    assert not is_reason(text)
