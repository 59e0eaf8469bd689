import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("package", "sink", "extra"),
    [
        ("prometheus_client", "prometheus", "redis-guard[prometheus]"),
        ("opentelemetry", "otel", "redis-guard[otel]"),
    ],
)
def test_a_missing_extra_is_named(package: str, sink: str, extra: str) -> None:
    # A module that is None cannot be imported.
    done = run(f"import sys; sys.modules[{package!r}] = None; import redis_guard.runtime.telemetry.{sink}")

    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert f"pip install '{extra}'" in last


def test_the_other_sinks_need_no_extra() -> None:
    done = run(
        "import sys; sys.modules['prometheus_client'] = sys.modules['opentelemetry'] = None; "
        "import redis_guard.runtime.telemetry"
    )

    assert (done.returncode, done.stderr) == (0, "")
