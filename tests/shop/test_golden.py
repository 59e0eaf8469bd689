"""The shop is judged as its golden file says: the faults planted there, and nothing else but direct calls."""

import shutil
from pathlib import Path

import pytest

from redis_guard.check import check
from redis_guard.options import Options
from redis_guard.rules import load_rules

SHOP = Path(__file__).parents[2] / "fixtures" / "projects" / "shop"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHOP, tmp_path / "shop"))


def expected() -> set[str]:
    """Lines of the golden file for the rules there are: it names faults of rules to come as well."""
    known = {rule.code for rule in load_rules()}
    rows = (SHOP / "expected.txt").read_text().splitlines()
    return {row for row in rows if row.split(": ")[1].split()[0] in known}


def test_the_planted_faults_are_found_and_nothing_else(shop: Path) -> None:
    report = check(Options(paths=(str(shop),), use_cache=False)).report
    found = {f"{f.path}:{f.span.line}: {f.code} {f.name}" for f in report.open if f.code != "RG101"}
    assert found == expected()


def test_every_direct_call_is_outside_the_modules_that_may(shop: Path) -> None:
    report = check(Options(paths=(str(shop),), use_cache=False, show_suppressed=True)).report
    calls = [finding for finding in report.findings if finding.code == "RG101"]
    assert all(f.suppressed == "config" for f in calls if f.path.startswith(("shop/infra/", "tests/")))
    open_paths = {f.path for f in calls if f.suppressed is None}
    assert open_paths
    assert not any(path.startswith(("shop/infra/", "tests/")) for path in open_paths)


def test_the_shops_own_wrapper_class_is_no_client(shop: Path) -> None:
    report = check(Options(paths=(str(shop),), use_cache=False, show_suppressed=True)).report
    lines = (shop / "shop" / "sessions.py").read_text().splitlines()
    wrapped = {number for number, line in enumerate(lines, start=1) if "preferences." in line}
    assert wrapped
    assert not wrapped & {f.span.line for f in report.findings if f.path == "shop/sessions.py"}
