"""Key templates: reading, making keys, finding identifiers in keys."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.registry import Hole, KeyTemplate, TemplateError

LITERALS = st.text("ab:-{}", min_size=1, max_size=4)


@st.composite
def templates(draw: st.DrawFn, literals: st.SearchStrategy[str] = LITERALS) -> KeyTemplate:
    """Literals and holes in turn, perhaps with `{rest*}` at the end."""
    count = draw(st.integers(1, 5))
    starts_with_hole = draw(st.booleans())
    written = [
        f"{{h{index}}}"
        if (index % 2 == 0) == starts_with_hole
        else draw(literals).replace("{", "{{").replace("}", "}}")
        for index in range(count)
    ]
    if written[-1].startswith("{h") and draw(st.booleans()):
        written[-1] = "{rest*}"
    return KeyTemplate.parse("".join(written))


def matches_by_trying_all(template: KeyTemplate, key: str) -> bool:
    """The definition, spelt out: every way of cutting the key into the template's parts."""

    def fits(index: int, rest: str) -> bool:
        if index == len(template.parts):
            return rest == ""
        part = template.parts[index]
        if isinstance(part, str):
            return rest.startswith(part) and fits(index + 1, rest[len(part) :])
        return any(
            (part.rest or ":" not in rest[:size]) and fits(index + 1, rest[size:])
            for size in range(1, len(rest) + 1)
        )

    return fits(0, key)


def test_a_template_is_literal_text_and_holes() -> None:
    template = KeyTemplate.parse("{{tag}}:login:{id}:{rest*}")
    assert template.parts == ("{tag}:login:", Hole("id"), ":", Hole("rest", rest=True))
    assert template.placeholders == ("id", "rest")


def test_three_braces_are_a_brace_and_a_hole() -> None:
    assert KeyTemplate.parse("{{{id}}}:x").format("7") == "{7}:x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a key cannot be empty"),
        ("a:{id", '"{" is not closed'),
        ("a:id}", '"}" closes nothing'),
        ("a:{}", '"{}" is not a placeholder'),
        ("a:{user id}", '"{user id}" is not a placeholder'),
        ("a:{1}", '"{1}" is not a placeholder'),
        ("a:{*}", '"{*}" is not a placeholder'),
        ("a:{ü}", '"{ü}" is not a placeholder'),
        ("a:{x}{y}", "nothing separates {x} from {y}"),
        ("a:{x}:{x}", "{x} is there twice"),
        ("a:{rest*}:b", "{rest*} takes the rest of the key"),
        ("a:{rest*}{x}", "{rest*} takes the rest of the key"),
        ("a\nb", "unprintable character U+000A"),
        ("a" * 513, "at most 512 characters, not 513"),
    ],
)
def test_a_text_that_is_no_template_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        KeyTemplate.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("template", "key", "identifiers"),
    [
        ("login:{id}:attempts", "login:7:attempts", ("7",)),
        ("login:{id}:attempts", "login::attempts", None),
        ("login:{id}:attempts", "login:7:8:attempts", None),
        ("login:{id}:attempts", "login:7:attempts:x", None),
        ("login:{id}:attempts", "xlogin:7:attempts", None),
        ("file:{rest*}", "file:a:b:c", ("a:b:c",)),
        ("file:{rest*}", "file:", None),
        ("{tenant}-{id}", "a-b-c", ("a", "b-c")),
        ("{x}aa", "aaaa", ("aa",)),
        ("{x}aa", "aa", None),
        ("{x}:aa:{y}", "aa:aa:aa", ("aa", "aa")),
        ("plain", "plain", ()),
        ("plain", "plainer", None),
        ("plain", "plai", None),
    ],
)
def test_a_key_matches_when_the_template_can_produce_it(
    template: str, key: str, identifiers: tuple[str, ...] | None
) -> None:
    assert KeyTemplate.parse(template).match(key) == identifiers


@pytest.mark.parametrize("identifiers", [(), ("a", "b"), ("",), ("a:b",)])
def test_identifiers_that_would_make_another_templates_key_are_refused(identifiers: tuple[str, ...]) -> None:
    with pytest.raises(TemplateError):
        KeyTemplate.parse("login:{id}").format(*identifiers)


def test_filling_a_hole_makes_its_text_literal_even_with_braces() -> None:
    filled = KeyTemplate.parse("{namespace}:{name}:{id}").fill(namespace="ns", name="na{me}")
    assert filled == KeyTemplate.parse("ns:na{{me}}:{id}")


@pytest.mark.parametrize(
    ("template", "segment"),
    [
        ("session:{id}", "session"),
        ("session", "session"),
        ("s{id}", None),
        ("{id}:s", None),
        ("s{id}:t", None),
        (":a", ""),
    ],
)
def test_the_first_segment_is_known_when_it_is_literal(template: str, segment: str | None) -> None:
    assert KeyTemplate.parse(template).first_segment == segment


@given(templates(), st.data())
def test_a_formatted_key_matches_its_template_and_formats_back(
    template: KeyTemplate, data: st.DataObject
) -> None:
    holes = [part for part in template.parts if isinstance(part, Hole)]
    identifiers = [
        data.draw(st.text("ab-:x" if hole.rest else "ab-x", min_size=1, max_size=4)) for hole in holes
    ]
    key = template.format(*identifiers)
    found = template.match(key)
    assert found is not None
    assert template.format(*found) == key


@given(templates(st.text("ab:-{}", min_size=1, max_size=4)), st.data())
def test_identifiers_that_share_nothing_with_the_literals_come_back_as_they_went(
    template: KeyTemplate, data: st.DataObject
) -> None:
    identifiers = tuple(data.draw(st.text("xyzé%", min_size=1, max_size=4)) for _ in template.placeholders)
    assert template.match(template.format(*identifiers)) == identifiers


@given(templates(st.text("a:", min_size=1, max_size=3)))
def test_matching_agrees_with_trying_every_cut_of_every_short_key(template: KeyTemplate) -> None:
    for size in range(6):
        for letters in product("a:b", repeat=size):
            key = "".join(letters)
            assert (template.match(key) is not None) == matches_by_trying_all(template, key)


@given(templates())
def test_the_parts_written_out_again_are_the_text(template: KeyTemplate) -> None:
    assert template.fill() == template


def test_matching_a_long_hostile_key_takes_no_time_to_speak_of() -> None:
    template = KeyTemplate.parse("".join(f"{{h{index}}}a" for index in range(60)) + "b")
    assert template.match("a" * 200_000) is None
