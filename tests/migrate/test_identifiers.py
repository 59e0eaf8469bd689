"""From the key as it is written to the identifiers of the runtime: the same bytes, or no rewriting."""

from collections.abc import Callable

import pytest

from redis_guard.registry.keys import KeyMaker
from tests.migrate.conftest import REGISTRY, Done, loaded_registry

CLAIM = "def export({}):\n    if r.set({}, 1, nx=True, ex=60):\n        work()\n"


def asked(done: Done) -> str:
    """What stands between the use case's name and the closing bracket."""
    assert done.text is not None, done.reasons
    return done.text.partition('coordination.claim("export"')[2].partition("):\n")[0].removeprefix(", ")


@pytest.mark.parametrize(
    ("parameters", "key", "identifier"),
    [
        ("batch", 'f"export:{batch}"', "str(batch)"),
        ("batch: str", 'f"export:{batch}"', "batch"),
        ("batch: int", 'f"export:{batch}"', "batch"),
        ('batch: "int"', 'f"export:{batch!s}"', "batch"),
        ("batch: UUID", '"export:" + str(batch)', "batch"),
        ("batch: bytes", 'f"export:{batch}"', "str(batch)"),
        ("batch: bytes", 'b"export:" + batch', "batch"),
        ("batch: float", 'f"export:{batch}"', "str(batch)"),
        ("batch", '"export:" + batch', "batch"),
        ("batch", '"export:%s" % batch', "str(batch)"),
        ("batch", '"export:%s" % (batch,)', "str(batch)"),
        ("batch", '"export:%(id)s" % {"id": batch.pk}', "str(batch.pk)"),
        ("batch: int", '"export:%d" % batch', "batch"),
        ("batch", '"export:%d" % batch', '"%d" % batch'),
        ("batch", '"export:%d" % (batch + 1)', '"%d" % (batch + 1)'),
        ("batch", '"export:{}".format(batch)', "str(batch)"),
        ("batch", '"export:{id}".format(id=batch)', "str(batch)"),
        ("batch", '":".join(["export", batch])', "batch"),
        ("batch", 'f"export:{batch}".encode()', "str(batch)"),
        ("batch", 'f"export:{batch}".encode("utf-8")', "str(batch)"),
        ("batch", 'f"export:{len(batch)}"', "len(batch)"),
        ("batch: int", 'f"export:{batch + 1}"', "str(batch + 1)"),
        ("batch, part", "f\"export:{batch + '-' + part}\"", 'f"{batch}-{part}"'),
        ("batch", 'f"export:{batch[0].id}"', "str(batch[0].id)"),
        ("", '"export:all"', '"all"'),
        ("batch, part", 'f"export:{batch}-{part}"', 'f"{batch}-{part}"'),
    ],
)
def test_the_identifier(migrated: Callable[..., Done], parameters: str, key: str, identifier: str) -> None:
    done = migrated(CLAIM.format(parameters, key), "export")

    assert asked(done) == identifier


@pytest.mark.parametrize(
    "value", ["x", "a:b", "ä ö", "{t}", "50%", 7, -1, 2.5, None, True, b"raw", ("a", 1)], ids=repr
)
@pytest.mark.parametrize("key", ['f"export:{batch}"', '"export:%s" % (batch,)', '"export:{}".format(batch)'])
def test_the_bytes(migrated: Callable[..., Done], key: str, value: object) -> None:
    identifier = asked(migrated(CLAIM.format("batch", key), "export"))

    old = eval(key, {"batch": value})
    new = KeyMaker(loaded_registry().use_cases["export"]).key(eval(identifier, {"batch": value}))

    assert new == old.encode()


@pytest.mark.parametrize(
    ("parameters", "key", "reason"),
    [
        ("batch", 'f"export:{batch:04d}"', "{batch} has a format of its own"),
        ("batch", 'f"export:{batch!r}"', "{batch} has a format of its own"),
        ("batch", '"export:%04d" % batch', "has a format of its own"),
        ("batch", '"export:{:>8}".format(batch)', "has a format of its own"),
        ("batch", '"export:{0.pk}".format(batch)', "has a format of its own"),
        ("batch, part", '"export:%d-%s" % (batch, part)', "one identifier is made of several parts"),
        (
            "batch, part",
            'f"export:{batch + part}"',
            "which expression fills which part of the key cannot be told",
        ),
        ("batch", 'f"export:{batch}".encode("utf-16")', "encoded otherwise than in UTF-8"),
        ("batch, part", "f\"export:{batch}-{part['x']}\"", "one identifier is made of several parts"),
    ],
)
def test_a_key_that_the_runtime_would_write_otherwise(
    migrated: Callable[..., Done], parameters: str, key: str, reason: str
) -> None:
    done = migrated(CLAIM.format(parameters, key), "export")

    assert done.text is None
    [said] = done.reasons
    assert reason in said


def test_several_placeholders_take_an_expression_each(migrated: Callable[..., Done]) -> None:
    registry = REGISTRY.replace('"export:{batch}"', '"export:{tenant}:{batch}"')

    done = migrated(CLAIM.format("t, b: int", 'f"export:{t.id}:{b}"'), "export", registry=registry)
    assert asked(done) == "str(t.id), b"

    done = migrated(CLAIM.format("both", 'f"export:{both}"'), "export", registry=registry)
    assert done.reasons == [
        "one expression fills several placeholders of export:{tenant}:{batch}; give each its own"
    ]


def test_the_rest_of_a_key_is_one_identifier(migrated: Callable[..., Done]) -> None:
    registry = REGISTRY.replace('"export:{batch}"', '"export:{rest*}"')

    done = migrated(CLAIM.format("tenant, batch", 'f"export:{tenant}:{batch}"'), "export", registry=registry)

    assert asked(done) == 'f"{tenant}:{batch}"'


def test_an_entry_that_encodes_takes_numbers_alone(migrated: Callable[..., Done]) -> None:
    registry = REGISTRY.replace('key: "export:{batch}"', 'key: "export:{batch}"\n    encoding: percent')

    assert asked(migrated(CLAIM.format("b: int", 'f"export:{b}"'), "export", registry=registry)) == "b"
    for parameter in ("b", "b: str"):
        done = migrated(CLAIM.format(parameter, 'f"export:{b}"'), "export", registry=registry)
        assert 'the key needs "encoding: raw"' in done.reasons[0]


KEYS = """\
PREFIX = "export:"
PATTERN = "export:{}"


def export_key(batch):
    return PREFIX + str(batch)


def of_batch(batch):
    return f"export:{batch}"
"""
HEAD = """\
import redis
from app import keys
from app.keys import PATTERN, PREFIX, export_key

r = redis.Redis()


"""
HELPED = '''\
class Exports:
    KEY = "export:{}"

    def key(self, batch):
        """Of one batch."""
        return f"export:{batch}"

    @property
    def mine(self):
        return f"export:{self.batch}"

    def export(self, batch):
        if r.set(PLACE, 1, nx=True, ex=60):
            work()
'''


@pytest.mark.parametrize(
    ("place", "identifier"),
    [
        ("self.key(batch)", "str(batch)"),
        ("self.key(batch=batch.pk)", "str(batch.pk)"),
        ("self.mine", "str(self.batch)"),
        ("self.KEY.format(batch)", "str(batch)"),
        ("export_key(batch)", "str(batch)"),
        ("export_key(batch.upper())", "str(batch.upper())"),
        ("PREFIX + batch", "batch"),
        ("PATTERN.format(batch)", "str(batch)"),
        ("keys.of_batch(batch)", "str(batch)"),
    ],
)
def test_helpers_constants_and_properties_are_followed(
    migrated: Callable[..., Done], place: str, identifier: str
) -> None:
    done = migrated(HELPED.replace("PLACE", place), "export", head=HEAD, files={"app/keys.py": KEYS})

    assert asked(done) == identifier


MOVED = """\
def settle(order):
    key = f"settle:{order}"
    SOMETHING
    if not r.set(key, 1, nx=True, ex=30):
        return
    work()
    r.delete(key)
"""


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("order = other()", "order may have another value by then; it is bound in several places"),
        ("order.pk = 3", None),
    ],
)
def test_an_identifier_that_may_change_on_the_way(
    migrated: Callable[..., Done], before: str, reason: str | None
) -> None:
    done = migrated(MOVED.replace("SOMETHING", before))

    assert (done.reasons[0] if done.reasons else None) == reason


def test_an_attribute_that_is_set_on_the_way(migrated: Callable[..., Done]) -> None:
    done = migrated(MOVED.replace("{order}", "{order.pk}").replace("SOMETHING", "order.pk = 3"))

    assert done.reasons[0] == "order.pk is set in the function, and may have another value by then"


def test_a_call_is_not_made_a_second_time(migrated: Callable[..., Done]) -> None:
    done = migrated(MOVED.replace("{order}", "{draw(order)}").replace("SOMETHING", "pass"))

    assert (
        done.reasons[0]
        == "draw(order) is called before, for the key; give the identifier a variable of its own"
    )
