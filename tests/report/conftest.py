"""The sample report for every format's tests, and one of all that is hard to write down."""

import io
from collections.abc import Callable
from dataclasses import replace

import pytest

from redis_guard.finding import Edit, Finding, Fix, Severity, Span
from redis_guard.report import Report, renderer
from redis_guard.report.places import Places
from redis_guard.rules import load_rules
from tests.report.sample import sample_report

Rendered = Callable[[str, Report], str]


@pytest.fixture
def report() -> Report:
    return replace(sample_report(), rules=load_rules, status=1)


@pytest.fixture
def odd() -> Report:
    """A project below the top of its repository, whose paths, code and messages are as odd as they can be."""
    finding = Finding(
        "RG401",
        "missing-ttl",
        Severity.WARNING,
        'one "two" <three> & 100%:\r\n\x1b[31m::error::\u202e four, \ud800\uffff',
        "a b/caf\udce9,x:y.py",
        Span(2, 5, 2, 10),
        function="café",
        fingerprint="0" * 20,
        fix=Fix("Say 'how long'", "safe", (Edit(Span(2, 10, 2, 10), ', ex="5"'), Edit(Span(2, 4, 2, 5), ""))),
    )
    return Report(
        (finding, replace(finding, span=Span(2, 9, 3, 4), fingerprint="1" * 20, fix=None)),
        files=1,
        analysed=1,
        sources=lambda path: "# \ud800\r\n日本 (r.set)\r\n𐐀é  x\r\n",
        version="0.1.0",
        places=Places("/code/services/my shop", "/code", "/code/services"),
        rules=load_rules,
    )


@pytest.fixture
def rendered() -> Rendered:
    """What a format writes to a stream that takes ASCII alone, or whatever `encoding` says."""

    def render(name: str, report: Report, encoding: str = "ascii") -> str:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
        renderer(name)(report, out)
        out.flush()
        return out.buffer.getvalue().decode(encoding)

    return render
