"""Use cases and keyspaces with faults, and every line that is said about each (marks: see conftest)."""

from collections.abc import Callable

import pytest

Tell = Callable[..., None]

HEAD = 'version: 1\nowners: {web: {contact: "#web"}}\n'
LOCK = "{primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind}"
SPACE = "{class: cache, owner: web, ttl: 1h, description: Things}"


def lock(rest: str) -> str:
    """A right lock with something more to it."""
    return f"{HEAD}use_cases:\n  one: {LOCK[:-1]}, {rest}}}\n"


def case(fields: str) -> str:
    """A use case of which only owner and description are given."""
    return f"{HEAD}use_cases:\n  ⑨one: {{owner: web, description: One of a kind, {fields}}}\n"


def space(fields: str, key: str = "a:{id}") -> str:
    """A keyspace of which only owner and description are given."""
    return f'{HEAD}keyspaces:\n  ⑨"{key}": {{owner: web, description: Things, {fields}}}\n'


ONE = 'use case "one"'
A_ID = 'keyspace "a:{id}"'

ENTRIES = {
    "an unknown owner": (
        f"{HEAD}use_cases:\n  one: {LOCK}\nkeyspaces:\n  'a:{{id}}': {SPACE.replace('web', '①wbe')}\n",
        [f'① {A_ID}: unknown owner "wbe"; did you mean "web"?'],
    ),
    "names that are none": (
        f"{HEAD}use_cases:\n  ①One-Lock: {LOCK}\n  ②on: {LOCK}\n  ③{'x' * 65}: {LOCK}\n  ④1: {LOCK}\n",
        [
            '① use case "One-Lock": the name must match [a-z][a-z0-9_]*',
            "② use_cases: YAML reads the name on as bool, not as text; quote it",
            f'③ use case "{"x" * 57}...": the name has 65 characters; 64 are allowed',
            "④ use_cases: YAML reads the name 1 as int, not as text; quote it",
        ],
    ),
    "a use case without fields": (
        f"{HEAD}use_cases:\n  ①one: {{}}\n  two: {LOCK}\n  three:②\n",
        [
            f'① {ONE}: "description" is missing',
            f'① {ONE}: "failure" is missing',
            f'① {ONE}: "owner" is missing',
            f'① {ONE}: "primitive" is missing',
            '② use case "three" must be a mapping, not null',
        ],
    ),
    "a primitive that is none": (
        case("primitive: ①lok, ttl: 30s, failure: closed"),
        [f'① {ONE}: "primitive" cannot be "lok"; did you mean "lock"?'],
    ),
    "a terse description": (
        lock("wait: 0").replace("One of a kind", "①Just one"),
        [f'① {ONE}: "description" has at least 3 words: what is coordinated, and why'],
    ),
    "a description that YAML takes for something else": (
        lock("wait: 0").replace("One of a kind", "①2024-01-01"),
        [f'① {ONE}: "description" must be text, not the date 2024-01-01; quote it'],
    ),
    "a lock that never expires": (
        case("primitive: lock, ttl: ①none, reason: Held for ever, failure: closed"),
        [f'① {ONE}: a lock must expire: "ttl" cannot be none'],
    ),
    "a claim without a ttl": (
        case("primitive: claim, failure: closed"),
        [f'⑨ {ONE}: "ttl" is missing'],
    ),
    "a claim that never expires and says not why": (
        case("primitive: claim, ttl: none, failure: ①open"),
        [f'① {ONE}: "reason" is missing: failure: open and ttl: none must be argued for'],
    ),
    "a blank reason": (
        case("primitive: claim, ttl: none, failure: closed, reason: ①' '"),
        [f'① {ONE}: "reason" is blank'],
    ),
    "a signal with a ttl and a key": (
        case("primitive: signal, failure: closed, ①ttl: 3s, ②key: a"),
        [
            f'① {ONE}: "ttl" is not for a signal: Pub/Sub stores nothing that could expire',
            f'② {ONE}: "key" is not for a signal: it has a "channel"',
        ],
    ),
    "fields of another primitive": (
        lock("①limit: 3, ②reread: 5s, ③tll: 3s"),
        [
            f'① {ONE}: "limit" is for counter alone, and this is a lock',
            f'② {ONE}: "reread" is for signal alone, and this is a lock',
            f'③ {ONE}: unknown field "tll"; did you mean "ttl"?',
        ],
    ),
    "open without a reason": (
        case("primitive: claim, ttl: 1h, failure: ①open"),
        [f'① {ONE}: "reason" is missing: failure: open must be argued for'],
    ),
    "a lock with a fallback": (
        case("primitive: lock, ttl: 1h, failure: ①{fallback: 0}, reason: It is never wrong"),
        [f'① {ONE}: "failure": a lock has nothing to fall back on; only a counter has'],
    ),
    "a fallback that is no count": (
        case("primitive: counter, ttl: 1h, failure: {fallback: ①low}, reason: It is never wrong"),
        [f'① {ONE}: "failure": "fallback" must be a whole number, not the text "low"'],
    ),
    "a fallback to nothing": (
        case("primitive: counter, ttl: 1h, failure: ①fallback, reason: It is never wrong"),
        [f'① {ONE}: "failure" names the count to fall back on: {{fallback: 0}}'],
    ),
    "a failure policy that is none": (
        case("primitive: counter, ttl: 1h, failure: ①close"),
        [f'① {ONE}: "failure" cannot be "close"; did you mean "closed"?'],
    ),
    "durations that are none": (
        lock("deadline: ②5, wait: ③soon, max_hold: ④[1]").replace("30s", "①0s"),
        [
            f'① {ONE}: "ttl" must be longer than zero',
            f'② {ONE}: "deadline": "5" has no unit; write 5s for seconds or 5ms for milliseconds',
            f'③ {ONE}: "wait": "soon" is not a duration such as 500ms, 30s, 15m, 2h or 7d',
            f'④ {ONE}: "max_hold" bounds renewal: it needs "renew: true"',
            f'④ {ONE}: "max_hold" must be a duration such as 30s, not a list',
        ],
    ),
    "renewal without an end": (
        lock("renew: ①true"),
        [f'① {ONE}: "max_hold" is missing: a renewed lease must end some time'],
    ),
    "renewal that ends before the first lease": (
        lock("renew: true, max_hold: ①10s"),
        [f'① {ONE}: "max_hold" 10s is shorter than the ttl 30s'],
    ),
    "numbers, flags and choices of the wrong kind": (
        lock("replicas: ①-1, fencing: ②1, reentrant: ③maybe, version: ④010, encoding: ⑤utf8, instance: ⑥a:b"),
        [
            f'① {ONE}: "replicas" must be from 0 to 9223372036854775807, not -1',
            f'② {ONE}: "fencing" must be true or false, not the number 1',
            f'③ {ONE}: "reentrant" must be true or false, not the text "maybe"',
            f'④ {ONE}: "version" must be a whole number, not the number 010',
            f'⑤ {ONE}: "encoding" cannot be "utf8"; it is one of percent, raw',
            f'⑥ {ONE}: "instance" must match [a-z][a-z0-9_-]*',
        ],
    ),
    "a number of ten thousand digits": (
        lock(f"replicas: ①{'9' * 10_000}"),
        [f'① {ONE}: "replicas" must be from 0 to 9223372036854775807, not {"9" * 57}...'],
    ),
    "a key that is no template, and a version beside it": (
        lock("key: ①'a:{x}{y}', version: ②2"),
        [
            f'① {ONE}: "key": nothing separates {{x}} from {{y}}',
            f'② {ONE}: "version" is part of the default key and cannot stand beside "key"',
        ],
    ),
    "a keyspace with faults": (
        space("class: ①cash, ttl: ②soon, type: ③sett, jitter: ④10, ⑤ttll: 1h"),
        [
            f'① {A_ID}: "class" cannot be "cash"; did you mean "cache"?',
            f'② {A_ID}: "ttl": "soon" is not a duration such as 500ms, 30s, 15m, 2h or 7d;'
            " it may also be a range 10m..1h, required or none",
            f'③ {A_ID}: "type" cannot be "sett"; did you mean "set"?',
            f'④ {A_ID}: "jitter": "10" has no unit; write 10s for seconds or 10ms for milliseconds',
            f'⑤ {A_ID}: unknown field "ttll"; did you mean "ttl"?',
        ],
    ),
    "a keyspace that never expires and says not why": (
        space("class: durable, ttl: ①none, jitter: ②3s"),
        [
            f'① {A_ID}: "reason" is missing: ttl: none must be argued for',
            f'② {A_ID}: "jitter" spreads a lifetime, and there is none',
        ],
    ),
    "a keyspace that does not say how long it lives": (
        space("class: durable"),
        [f'⑨ {A_ID}: "ttl" is missing'],
    ),
    "a range that ends before it begins": (
        space("class: cache, ttl: ①1h..10m"),
        [
            f'① {A_ID}: "ttl": "1h..10m" ends before it begins; write the shorter duration first;'
            " it may also be a range 10m..1h, required or none"
        ],
    ),
    "a keyspace whose key is no template": (
        space("class: cache, ttl: 1h", key="a:{user id}"),
        [
            '⑨ keyspace "a:{user id}": "{user id}" is not a placeholder such as {id} or {rest*};'
            " write {{ for a brace"
        ],
    ),
    "keys that overlap": (
        f"{HEAD}use_cases:\n  ①one: {LOCK[:-1]}, key: 'a:{{id}}'}}\n"
        f"keyspaces:\n  ②'a:{{rest*}}': {SPACE}\n  ③'a:b': {SPACE}\n",
        [
            '② keyspace "a:{rest*}" overlaps use case "one" (a:{id}) at ①: both can be "a:x"',
            '③ keyspace "a:b" overlaps keyspace "a:{rest*}" at ②: both can be "a:b"',
            '③ keyspace "a:b" overlaps use case "one" (a:{id}) at ①: both can be "a:b"',
        ],
    ),
    "a raw key in the namespace of the runtime": (
        f"{HEAD}use_cases:\n  ①one: {LOCK}\nkeyspaces:\n  ②'{{service}}:{{name}}:{{id}}': {SPACE}\n",
        [
            '② keyspace "{service}:{name}:{id}" overlaps use case "one" (coordination:one:{id}) at ①:'
            ' both can be "coordination:one:x"'
        ],
    ),
    "keys that are a fence of the runtime": (
        f"{HEAD}use_cases:\n  ①one: {LOCK[:-1]}, fencing: true}}\n  two: {LOCK}\n"
        f"keyspaces:\n  ②'{{{{coordination:one:{{id}}}}}}:fence': {SPACE}\n"
        f"  '{{{{coordination:two:{{id}}}}}}:fence': {SPACE}\n",
        [
            '② keyspace "{{coordination:one:{id}}}:fence" overlaps the fence of use case "one"'
            ' ({{coordination:one:{id}}}:fence) at ①: both can be "{coordination:one:x}:fence"'
        ],
    ),
    "a lock in one slot whose fence is another entry's key": (
        f"{HEAD}keyspaces:\n  ①'a:{{{{t}}}}:{{id}}:fence': {SPACE}\n"
        f"use_cases:\n  ②one: {LOCK[:-1]}, fencing: true, key: 'a:{{{{t}}}}:{{id}}'}}\n",
        [
            '① keyspace "a:{{t}}:{id}:fence" overlaps the fence of use case "one" (a:{{t}}:{id}:fence) at ②:'
            ' both can be "a:{t}:x:fence"'
        ],
    ),
    "a lock whose keys can be its own fences": (
        f"{HEAD}use_cases:\n  ①one: {LOCK[:-1]}, fencing: true, key: '{{rest*}}'}}\n",
        [
            '① the fence of use case "one" ({{{rest*}}}:fence) overlaps use case "one" ({rest*}) at ①:'
            ' both can be "{x}:fence"'
        ],
    ),
    "a signal on the channel that wakes the waiters of a lock": (
        f"{HEAD}use_cases:\n  ①one: {LOCK[:-1]}, key: 'a'}}\n  ②two: {{primitive: signal, owner: web,"
        " failure: closed, description: One of two, channel: '{{a}}:wake'}\n",
        [
            '② use case "two" ({{a}}:wake) overlaps the wake of use case "one" ({{a}}:wake) at ①:'
            ' both can publish on "{a}:wake"'
        ],
    ),
    "two signals on one channel, which no key can be": (
        f"{HEAD}use_cases:\n"
        "  ①one: {primitive: signal, owner: web, failure: closed, description: One of two, channel: news}\n"
        "  ②two: {primitive: signal, owner: web, failure: closed, description: Two of two, channel: news}\n"
        f"keyspaces:\n  news: {SPACE}\n",
        ['② use case "two" (news) overlaps use case "one" (news) at ①: both can publish on "news"'],
    ),
}


@pytest.mark.parametrize("title", ENTRIES)
def test_all_faults_of_an_entry_are_said_at_once_each_at_its_place(title: str, tells: Tell) -> None:
    text, lines = ENTRIES[title]
    tells(text, lines=lines)


def test_keys_overlap_across_files_too(tells: Tell) -> None:
    tells(
        f"{HEAD}keyspaces:\n  ①'a:{{id}}': {SPACE}\n  ②'b:{{id}}': {SPACE}\n",
        f"version: 1\nkeyspaces:\n  ③'a:{{id}}': {SPACE}\n  ④'b:{{name}}': {SPACE}\n",
        lines=[
            f"③ {A_ID}: declared twice; the other one is at ①",
            '④ keyspace "b:{name}" overlaps keyspace "b:{id}" at ②: both can be "b:x"',
        ],
    )
