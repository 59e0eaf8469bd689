"""The index finds what comparing with every entry would find."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.registry import KeyTemplate, Registry, UseCase
from redis_guard.runtime.observing.index import Index, Match

TEMPLATES = (
    "visits", "visits:all", "login:{id}:tries", "login:{id}:last", "lock-{kind}:{id}", "a:b:c:{id}", "a:b:{id}",
    "a::{id}", ":{id}:x", "{{tag}}:{id}", "files:{rest*}", "{tenant}:plan", "x:{p}-{q}:y:{rest*}",
)  # fmt: skip


@pytest.fixture(scope="session")
def cases(registry: Registry) -> tuple[UseCase, ...]:
    one = registry.use_cases["invoice_claim"]
    return tuple(replace(one, name=text, key=KeyTemplate.parse(text)) for text in TEMPLATES)


def compared_with_all(cases: tuple[UseCase, ...], key: str) -> list[Match]:
    return [Match(case, identifiers) for case in cases if (identifiers := case.key.match(key)) is not None]


@given(
    st.lists(
        st.sampled_from(
            [
                "visits",
                "all",
                "login",
                "tries",
                "a",
                "b",
                "x",
                "",
                "lock-k",
                "files",
                "y",
                "{tag}",
                "plan",
                "7-8",
            ]
        ),
        min_size=1,
        max_size=6,
    )
)
def test_it_finds_what_comparing_with_every_entry_finds(
    cases: tuple[UseCase, ...], segments: list[str]
) -> None:
    key = ":".join(segments)
    expected = compared_with_all(cases, key)

    found = Index(cases).find(key)

    # Some of these templates overlap, which a registry refuses: then any of them may be found.
    assert found in expected if expected else found is None


@pytest.mark.parametrize("text", TEMPLATES)
def test_every_kind_of_template_is_found(cases: tuple[UseCase, ...], text: str) -> None:
    template = KeyTemplate.parse(text)
    key = template.format(*("v" for _ in template.placeholders))

    found = Index(cases).find(key)

    assert found is not None
    assert found.entry.key.match(key) is not None


def test_among_hundreds_of_entries_of_one_namespace_the_right_one_is_found(registry: Registry) -> None:
    one = registry.use_cases["invoice_claim"]
    many = [
        replace(one, name=f"case_{n}", key=KeyTemplate.parse(f"coordination:case_{n}:{{id}}"))
        for n in range(500)
    ]
    index = Index(many)

    assert [index.find(f"coordination:case_{n}:{n}") for n in range(500)] == [
        Match(case, (str(n),)) for n, case in enumerate(many)
    ]
    assert index.find("coordination:case_500:1") is None


def test_without_entries_nothing_is_found() -> None:
    assert Index(()).find("a:b") is None
