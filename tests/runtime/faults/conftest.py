"""Coordination in either world, with the registry of these tests."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.faults.heard import Heard
from tests.runtime.faults.registered import PATIENT, registry
from tests.runtime.worlds import AnyCoordination, World

Coordinate = Callable[..., AnyCoordination]


@pytest.fixture
def heard() -> Heard:
    """What the `Coordination`s of this test tell."""
    return Heard()


@pytest.fixture
def coordinate(world: World, heard: Heard) -> Coordinate:
    """Make a `Coordination` of this world, started; seconds for the deadlines."""

    def make(
        url: str | None = None,
        client: Any = None,
        *,
        deadline: float = PATIENT,
        connect_deadline: float = PATIENT,
        start: bool = True,
    ) -> AnyCoordination:
        made = world.coordination(registry(deadline, connect_deadline), client, url=url, telemetry=heard)
        if start:
            made.start()
        return made

    return make
