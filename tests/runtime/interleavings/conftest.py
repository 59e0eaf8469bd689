"""Says at the end of a run how much was explored."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    properties = [
        each for report in terminalreporter.stats.get("passed", ()) for each in report.user_properties
    ]
    schedules = sum(int(str(value)) for name, value in properties if name == "schedules")
    states = sum(int(str(value)) for name, value in properties if name == "states")
    if schedules:
        terminalreporter.write_line(f"interleavings: {schedules:,} schedules over {states:,} distinct states")
