"""The table against the installed libraries: a method it does not know, or a row no longer true, fails."""

import difflib

import pytest
import redis

from redis_guard.commands import is_method, lookup, method_names, sources
from tests.generate import table_text
from tests.generate.command_rows import UnknownFactError
from tests.generate.command_table import TABLE, build
from tests.generate.method_rows import commands_of
from tests.generate.probe import Observation
from tests.generate.receivers import Receiver, receivers
from tests.generate.table_text import Table

HOW = "add what it means to tests/generate/method_facts.py or command_facts.py, then run `make update`"


@pytest.fixture(scope="module")
def built(raw: redis.Redis) -> Table:
    """The table as the generator makes it here and now."""
    return build(raw)


def _skip_unless_made_from_the_installed(built: Table) -> None:
    here = f"redis-py {built.redis_py}, valkey-py {built.valkey_py}, {built.server}"
    if here != sources():
        pytest.skip(f"the table was made from {sources()}; installed: {here}")


@pytest.mark.parametrize("receiver", receivers(), ids=lambda receiver: receiver.kind)
def test_every_method_of_the_installed_libraries_is_known(receiver: Receiver) -> None:
    unknown = [name for name in receiver.names() if not is_method(receiver.kind, name)]
    assert not unknown, f"redis-py {redis.__version__}: new on {receiver.kind}: {', '.join(unknown)}; {HOW}"


def test_the_table_is_what_the_generator_makes_of_the_installed_libraries(built: Table) -> None:
    _skip_unless_made_from_the_installed(built)
    made, kept = table_text.render(built).splitlines(), TABLE.read_text("utf-8").splitlines()
    changes = list(difflib.unified_diff(kept, made, "kept", "made", n=0, lineterm=""))
    assert not changes, "run `make update`; the first changes:\n" + "\n".join(changes[:20])


def test_a_look_up_gives_back_what_the_generator_found(built: Table) -> None:
    _skip_unless_made_from_the_installed(built)
    columns = (
        "family",
        "access",
        "creates",
        "value_type",
        "lifetime",
        "without_expiry",
        "since",
        "valkey_since",
    )
    for kind, rows in built.kinds.items():
        assert method_names(kind) == rows.keys()
        for name, row in rows.items():
            method = lookup(kind, name)
            assert method is not None
            assert {column: getattr(method, column) for column in columns} == {
                column: row[column] for column in columns
            }
            assert [method.returns, method.async_returns] == [row["returns"], row["async_returns"]]
            assert [[key.parameter, key.shape, key.access] for key in method.keys] == row["keys"]
            assert [[each.parameter, each.unit, each.of] for each in method.expiry] == row["expiry"]
            assert list(method.flags) == row["flags"]
            assert list(method.commands) == row["commands"]


class _NewClient:
    def frobnicate(self) -> None:
        raise NotImplementedError


def test_a_method_that_is_not_understood_is_named_with_what_to_do() -> None:
    receiver = Receiver("client", (_NewClient,))
    with pytest.raises(
        UnknownFactError, match=r"_NewClient\.frobnicate is new and not understood .*method_facts\.py"
    ):
        commands_of(receiver, "frobnicate", Observation(), known={})
