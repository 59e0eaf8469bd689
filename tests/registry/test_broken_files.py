"""Files and settings with faults, and every line that is said about each (marks: see conftest)."""

from collections.abc import Callable

import pytest

Tell = Callable[..., None]

OWNERS = 'owners: {web: {contact: "#web"}}\n'
LOCK = "{primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind}"

FILES = {
    "an empty file": ("①# nothing\n", ['① the file is empty; a registry begins with "version: 1"']),
    "a list": ("①- a\n", ["① registry must be a mapping, not a list"]),
    "no version": ("①owners: {}\n", ['① registry: "version" is missing']),
    "another version": ("version: ①2\n", ['① registry: "version" must be 1, the only one there is']),
    "a version in quotes": (
        'version: ①"1"\n',
        ['① registry: "version" must be a whole number, not the text "1"'],
    ),
    "an unknown section": (
        "version: 1\n①usecases: {}\n",
        ['① registry: unknown field "usecases"; did you mean "use_cases"?'],
    ),
    "a section that is a list": (
        "version: 1\nowners: ①[web]\n",
        ['① "owners" must be a mapping, not a list'],
    ),
    "a control character": (
        "version: 1\nowners: é①\x07\n",
        ["① control character U+0007; YAML allows none"],
    ),
    "two documents": (
        "version: 1\n①---\nversion: 1\n",
        ["① a second YAML document; a registry file holds one"],
    ),
    "a Python object": (
        "version: 1\nowners: ①!!python/object/apply:os.system [ls]\n",
        ["① the tag tag:yaml.org,2002:python/object/apply:os.system is not allowed"],
    ),
    "a tag on a value": ("version: ①!secret 1\n", ["① the tag !secret is not allowed"]),
    "an alias of nothing": (
        "version: 1\nowners: ①*no\n",
        ["① *no refers to an anchor that does not stand before it"],
    ),
    "an alias inside its own anchor": (
        "version: 1\nowners: &a {web: ①*a}\n",
        ["① *a refers to an anchor that does not stand before it"],
    ),
    "a merge of a text": ("version: 1\nowners:\n  <<: ①web\n", ["① << merges mappings only"]),
    "a list as a key": ("version: 1\n? ①[a]\n: b\n", ["① a list or mapping cannot be a key"]),
    "keys that are there twice": (
        f"version: 1\n⑤{OWNERS}use_cases:\n  ①one: {LOCK}\n  ②one: {LOCK}\n"
        f"  two: {LOCK.replace('ttl', '③ttl')[:-1]}, ④ttl: 1m}}\n⑥owners: {{}}\n",
        [
            '② duplicate key "one"; YAML would keep the last one only; the first is at ①',
            '④ duplicate key "ttl"; YAML would keep the last one only; the first is at ③',
            '⑥ duplicate key "owners"; YAML would keep the last one only; the first is at ⑤',
        ],
    ),
    "a namespace of two segments": (
        "version: 1\nnamespace: ①a:b\n",
        ['① registry: "namespace" must match [A-Za-z0-9][A-Za-z0-9_.-]*'],
    ),
    "settings with faults": (
        "version: 1\ndeadline: ①250\nlimits: {②key_byte: 3, elements: ③0, string_bytes: ④many}\n"
        "prefixes: {⑤cached: 'temp:'}\nabbreviations: {crm: ⑥1}\n",
        [
            '① registry: "deadline": "250" has no unit; write 250s for seconds or 250ms for milliseconds',
            '② limits: unknown field "key_byte"; did you mean "key_bytes"?',
            '③ limits: "elements" must be from 1 to 9223372036854775807, not 0',
            '④ limits: "string_bytes" must be a whole number, not the text "many"',
            '⑤ prefixes: unknown field "cached"; did you mean "cache"?',
            '⑥ abbreviations: "crm" must be text, not the number 1; quote it',
        ],
    ),
    "a confused vocabulary": (
        "version: 1\nvocabulary:\n  detail: ①info\n  item: ②[item]\n  user: [login]\n  ③client: [login]\n",
        [
            '① vocabulary: "detail" must be a list of synonyms that are text, such as [info, data]',
            '② vocabulary: "item" is its own synonym',
            '③ vocabulary: "login" is a synonym of "client" and of "user"; choose one',
        ],
    ),
    "owners with faults": (
        "version: 1\nowners:\n  ①Web: {contact: w}\n  ②shop:\n    contact:③ #shop\n  ④ops: {}\n  bar: ⑤text\n"
        f"use_cases:\n  one: {LOCK.replace('web', '⑥web')}\n  two: {LOCK.replace('web', 'bar')}\n",
        [
            '① owner "Web" is unused: no use case and no keyspace names it',
            '① owner "Web": the name must match [a-z][a-z0-9_-]*',
            '② owner "shop" is unused: no use case and no keyspace names it',
            '③ owner "shop": "contact" must be text, not null; a text that begins with "#" has to be quoted',
            '④ owner "ops" is unused: no use case and no keyspace names it',
            '④ owner "ops": "contact" is missing',
            '⑤ owner "bar" must be a mapping, not the text "text"',
            '⑥ use case "one": unknown owner "web"; did you mean "Web"?',
        ],
    ),
}

SETS = {
    "names and settings given in two files": (
        f"version: 1\nowners: {{①web: {{contact: w}}}}\nnamespace: ③shop\nuse_cases:\n  ⑤one: {LOCK}\n",
        f"version: 1\nowners: {{②web: {{contact: w}}}}\nnamespace: ④store\nuse_cases:\n  ⑥one: {LOCK}\n",
        [
            '② owner "web": declared twice; the other one is at ①',
            '④ "namespace" is given twice and differently; the other one is at ③',
            '⑥ use case "one": declared twice; the other one is at ⑤',
        ],
    ),
    "each file with a fault": (
        f"version: 1\n{OWNERS}use_cases:\n  one: {LOCK.replace('30s', '①30')}\n",
        "version: 1\n②keyspace: {}\n",
        [
            '① use case "one": "ttl": "30" has no unit; write 30s for seconds or 30ms for milliseconds',
            '② registry: unknown field "keyspace"; did you mean "keyspaces"?',
        ],
    ),
    "owners in a file that cannot be read": (
        f"version: 1\n{OWNERS}namespace: ①!!binary aa\n",
        f"version: 1\nuse_cases:\n  one: {LOCK.replace('lock', '②lokk')}\n",
        [
            "① the tag tag:yaml.org,2002:binary is not allowed",
            '② use case "one": "primitive" cannot be "lokk"; did you mean "lock"?',
        ],
    ),
}


@pytest.mark.parametrize("title", FILES)
def test_all_faults_of_a_file_are_said_at_once_each_at_its_place(title: str, tells: Tell) -> None:
    text, lines = FILES[title]
    tells(text, lines=lines)


@pytest.mark.parametrize("title", SETS)
def test_all_faults_of_a_set_of_files_are_said_at_once(title: str, tells: Tell) -> None:
    one, other, lines = SETS[title]
    tells(one, other, lines=lines)
