import re
from pathlib import Path

from redis_guard.report import FORMATS
from tests.docs.snippets import REPOSITORY, run_page

PAGE = REPOSITORY / "docs" / "reports.md"


def test_what_the_page_shows_runs(tmp_path: Path) -> None:
    run_page(PAGE, tmp_path)


def test_it_has_every_format() -> None:
    named = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(FORMATS.keys() - {"statistics", "statistics-json"})
