"""Loader and schema on whatever is written: the same verdict, field by field and entry by entry.

Left out is what no schema can say: fields that must fit each other by arithmetic, and names declared elsewhere.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from redis_guard.registry import (
    DurationError,
    KeyTemplate,
    RegistryError,
    TemplateError,
    load_registry,
    parse_duration,
    parse_range,
)
from redis_guard.registry.schema import schema_text

SCHEMA = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)

ODD: list[object] = [None, True, 0, -1, 1.5, "", " ", "x", [], ["x"], {}, {"x": 1}, 2**63]
RIGHT: dict[str, list[object]] = {
    "primitive": ["lock", "claim", "counter", "signal"],
    "owner": ["web"],
    "failure": ["closed", "open", {"fallback": 0}, {"fallback": 3}],
    "description": ["One of a kind", "  three \n words  here "],
    "reason": ["It is right so"],
    "encoding": ["percent", "raw"],
    "version": [1, 7],
    "deadline": ["250ms"],
    "instance": ["default", "a-b"],
    "ttl": ["30s", "none"],
    "key": ["a:{id}", "{namespace}:{name}", "{{a}}:{rest*}"],
    "wait": [0, "0", "0s", "5s"],
    "renew": [True, False],
    "max_hold": ["1h"],
    "fencing": [True, False],
    "reentrant": [True],
    "replicas": [0, 2],
    "limit": [1, 5],
    "channel": ["news", "news:{id}"],
    "reread": ["1m"],
    "class": ["cache", "durable", "coordination"],
    "type": ["hash"],
    "jitter": ["1m"],
    "surplus": [],
}
KEYSPACE = ("class", "owner", "description", "ttl", "type", "jitter", "reason", "instance", "surplus")
USE_CASE = tuple(field for field in RIGHT if field not in ("class", "type", "jitter"))


@st.composite
def entries(draw: st.DrawFn, fields: tuple[str, ...]) -> dict[str, object]:
    """Mostly right values of some fields; one value in a while that is odd."""
    chosen = [field for field in fields if draw(st.integers(0, 3))]
    odd = draw(st.sampled_from((*chosen, "", ""))) if chosen else ""
    return {
        field: draw(st.sampled_from(ODD if field == odd or not RIGHT[field] else RIGHT[field]))
        for field in chosen
    }


@st.composite
def fitting(draw: st.DrawFn) -> dict[str, object]:
    """A use case that has the fields of its primitive only, so that most are right."""
    primitive = draw(st.sampled_from(["lock", "claim", "counter", "signal"]))
    own = SCHEMA["$defs"][primitive]["properties"]
    entry = draw(entries(tuple(own)))
    return {
        "primitive": primitive,
        "owner": "web",
        "description": "One of a kind",
        "failure": "closed",
    } | entry


def agree(registry: dict[str, Any]) -> None:
    """JSON is YAML: both judge the same text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "redis_guard.yaml"
        path.write_text(json.dumps(registry), encoding="utf-8")
        try:
            load_registry([path])
            said = ""
        except RegistryError as error:
            said = str(error)
    refusals = [error.message for error in VALIDATOR.iter_errors(registry)]
    assert bool(refusals) == bool(said), (refusals, said)


USED = {"class": "cache", "owner": "web", "ttl": "1h", "description": "Keeps the owner used"}


def with_use_case(entry: dict[str, object]) -> dict[str, Any]:
    return {
        "version": 1,
        "owners": {"web": {"contact": "#web"}},
        "use_cases": {"one": entry},
        "keyspaces": {"used": {**USED, "instance": "elsewhere"}},
    }


@settings(max_examples=300, deadline=None)
@given(entries(USE_CASE) | fitting())
def test_on_use_cases_both_agree(entry: dict[str, object]) -> None:
    agree(with_use_case({**entry, "owner": "web"} if "owner" in entry else entry))


@settings(max_examples=200, deadline=None)
@given(entries(KEYSPACE))
def test_on_keyspaces_both_agree(entry: dict[str, object]) -> None:
    registry = with_use_case({})
    del registry["use_cases"]
    registry["keyspaces"]["a:{id}"] = {**entry, "owner": "web"} if "owner" in entry else entry
    agree(registry)


@settings(max_examples=500)
@given(st.text("ab:{}*", max_size=14) | st.text(max_size=6))
@example("{{{a}}}")
@example("{a}:{b}:{c*}")
@example("\x85")
def test_on_key_templates_both_agree(text: str) -> None:
    try:
        KeyTemplate.parse(text)
    except TemplateError as error:
        if "there twice" in str(error) or "unprintable" in str(error):
            return
        assert not takes("keyTemplate", text)
        return
    assert takes("keyTemplate", text)


@settings(max_examples=500)
@given(st.text("0123456789msdh. ", max_size=6) | st.from_regex(r"[0-9]{1,3}(ms|[smhd])", fullmatch=True))
def test_on_durations_both_agree(text: str) -> None:
    try:
        right = parse_duration(text) > 0
    except DurationError as error:
        if "ten years" in str(error):
            return
        right = False
    assert takes("duration", text) == right


@settings(max_examples=500)
@given(st.from_regex(r" ?[0-9]{1,2}[smhx][ \t]?(\.\.? ?[0-9]{1,2}[smh])? ?", fullmatch=True))
def test_on_ranges_both_agree(text: str) -> None:
    try:
        right = parse_range(text).shortest_ms > 0
    except DurationError as error:
        if "ten years" in str(error) or "before it begins" in str(error):
            return
        right = False
    lifetime = {**SCHEMA["$defs"]["keyspace"]["properties"]["ttl"], "$defs": SCHEMA["$defs"]}
    assert Draft202012Validator(lifetime).is_valid(text) == right


def takes(definition: str, text: str) -> bool:
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]}).is_valid(text)
