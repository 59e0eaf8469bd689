"""The sample report for every format's tests."""

import pytest

from tests.report.sample import sample_report


@pytest.fixture
def report():
    return sample_report()
