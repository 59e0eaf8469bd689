"""Every cell of the failure table, against a server that is gone and against one that does not answer."""

from collections.abc import Callable

import pytest

from redis_guard.testing import Server
from tests.runtime.faults.cells import CELLS, told_as
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard
from tests.runtime.proxy import Proxy

EACH_CELL = pytest.mark.parametrize("cell", list(CELLS))
StartServer = Callable[..., Server]


@EACH_CELL
def test_refused_ends_by_policy(coordinate: Coordinate, proxy: Proxy, heard: Heard, cell: str) -> None:
    coordination = coordinate(proxy.url)
    proxy.refuse()
    proxy.cut()

    CELLS[cell](coordination)

    assert heard.outcomes(cell)[0] == told_as(cell)
    assert heard.classes(cell)[0] == "connection"


@EACH_CELL
def test_no_answer_ends_by_policy(coordinate: Coordinate, proxy: Proxy, heard: Heard, cell: str) -> None:
    coordination = coordinate(proxy.url, deadline=0.15, connect_deadline=0.15)
    proxy.blackhole()

    CELLS[cell](coordination)

    assert heard.outcomes(cell)[0] == told_as(cell)
    # Of a count that was sent nobody can say whether it was counted.
    assert heard.classes(cell)[0] == ("ambiguous" if cell.startswith("counter") else "timeout")


@EACH_CELL
def test_a_first_connection_that_is_refused_ends_by_policy(
    coordinate: Coordinate, proxy: Proxy, heard: Heard, cell: str
) -> None:
    proxy.refuse()
    coordination = coordinate(proxy.url, start=False)

    CELLS[cell](coordination)

    assert heard.classes(cell)[0] == "connection"
