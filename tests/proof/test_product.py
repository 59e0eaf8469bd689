"""Each fixture through the product: its fix is the text that is proven, as safe as it is said to be."""

from pathlib import Path

import pytest

from tests.proof.fixture import Fixture, load
from tests.proof.product import mended

FIXTURES = load()


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_the_product_makes_of_a_fixture_what_is_proven(fixture: Fixture, tmp_path: Path) -> None:
    text, offered = mended(fixture, tmp_path)
    assert text == fixture.expected
    assert offered == (set() if fixture.withheld else {fixture.safety})
