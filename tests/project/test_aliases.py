"""An annotation under another name is read as what is written behind the name."""

from collections.abc import Callable

import pytest

Found = Callable[..., list[tuple[str, str]]]

USE = """
def bump(c: {}):
    c.incr("k")
"""


@pytest.mark.parametrize(
    "alias",
    [
        "Client = Annotated[Redis, Depends(connect)]",
        "Client = Optional[Redis]",
        "Client = Union[Redis, None]",
        "Client = Redis | None",
        "Client: TypeAlias = Annotated[Redis, 'x'] | None",
        "Inner = Annotated[Redis, 'x']\nClient = Optional[Inner]",
        "type Client = Redis | None",
    ],
)
class TestAnAliasOfAClient:
    HEAD = "from typing import Annotated, Optional, TypeAlias, Union\nfrom redis import Redis\n"

    def test_is_a_client_in_its_own_module(self, found: Found, alias: str) -> None:
        assert found(self.HEAD + alias + USE.format("Client")) == [("client", "incr")]

    def test_is_a_client_where_it_is_imported(self, found: Found, alias: str) -> None:
        sources = {
            "deps.py": self.HEAD + alias,
            "middle.py": "from deps import Client as Cache",
            "app.py": "from middle import Cache" + USE.format("Cache"),
        }
        assert found(sources) == [("client", "incr")]

    def test_is_a_client_as_a_member_of_its_module(self, found: Found, alias: str) -> None:
        sources = {"deps.py": self.HEAD + alias, "app.py": "import deps" + USE.format("deps.Client")}
        assert found(sources) == [("client", "incr")]


def test_an_alias_inside_a_class_is_read_there(found: Found) -> None:
    source = """
        from typing import Annotated
        from redis import Redis
        class Types:
            Client = Annotated[Redis, "x"]
        def bump(c: Types.Client):
            c.incr("k")
    """
    assert found(source) == [("client", "incr")]


def test_an_item_of_a_registry_is_no_alias(found: Found) -> None:
    source = """
        from redis import Redis
        models = {"Redis": Redis}
        Model = models["Redis"]
        def bump(c: Model):
            c.incr("k")
    """
    assert found(source) == [("client", "incr")]


def test_an_alias_of_itself_is_nothing(found: Found) -> None:
    assert found("Client = Client | None" + USE.format("Client")) == []
