"""The runner of pages: what it lets pass, and what it does not."""

from pathlib import Path

import pytest

from tests.docs.snippets import run_page, shows

GOOD = """\
version: 1
owners: {web: {contact: w}}
keyspaces: {"a:{id}": {class: cache, owner: web, ttl: 1h, description: Things}}
"""


def page(folder: Path, *blocks: tuple[str, str]) -> None:
    """Run a page of these blocks: info string and code."""
    path = folder / "page.md"
    path.write_text("# Page\n\n" + "\n".join(f"```{info}\n{code}\n```\n" for info, code in blocks))
    (folder / "run").mkdir()
    run_page(path, folder / "run", given=7)


def test_python_shares_a_namespace_and_the_folder_with_the_files_shown(tmp_path: Path) -> None:
    page(
        tmp_path,
        ("yaml", GOOD),
        (
            "python",
            "from pathlib import Path\ntext = Path('redis_guard.yaml').read_text()\nasync def one(): return given",
        ),
        ("python", "assert await one() == 7 and 'version' in text"),
    )


def test_files_that_stand_one_after_the_other_are_one_set(tmp_path: Path) -> None:
    owners, keyspaces = GOOD.replace("keyspaces", "|keyspaces").split("|")
    page(
        tmp_path,
        ("yaml", f"# redis_guard.yaml\n{owners}"),
        ("yaml", f"# shop/redis_guard.yaml\nversion: 1\n{keyspaces}"),
        ("toml", '# pyproject.toml\n[tool.redis-guard]\nregistry = ["**/redis_guard.yaml"]'),
        ("console", "$ redis-guard registry check\n1 entry (0 use cases, 1 keyspace) of 1 owner in 2 files"),
    )


def test_commands_print_what_is_shown_and_their_status_can_be_asked_for(tmp_path: Path) -> None:
    page(
        tmp_path,
        ("yaml broken", "version: 2"),
        (
            "console",
            "$ redis-guard registry check\n...\n$ echo $?\n1\n"
            "$ redis-guard registry schema > s.json\n$ pip install redis-guard",
        ),
    )
    assert (tmp_path / "run" / "s.json").stat().st_size > 1_000


@pytest.mark.parametrize(
    ("blocks", "complaint"),
    [
        ([("yaml", "version: 2")], "must be 1"),
        ([("yaml broken", "version: 1")], "is not broken"),
        ([("python", "assert 1 == 2, 'no'")], "no"),
        ([("console", "$ redis-guard --version\nredis-guard 9")], "prints"),
        ([("console", "$ redis-guard --version")], "prints"),
        ([("console", "$ pip install redis-guard\nfine")], "which is not run"),
        ([("console", "redis-guard 9")], "begins with output"),
    ],
)
def test_what_is_not_as_shown_is_told(tmp_path: Path, blocks: list[tuple[str, str]], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        page(tmp_path, *blocks)


def test_a_sketch_has_to_parse_and_is_not_run(tmp_path: Path) -> None:
    page(tmp_path, ("python sketch", "raise SystemExit"))
    with pytest.raises(SyntaxError):
        run_page(tmp_path / "page.md", broken(tmp_path))


def broken(folder: Path) -> Path:
    (folder / "page.md").write_text("```python sketch\nraise raise\n```\n")
    (folder / "again").mkdir()
    return folder / "again"


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n\n", "a  \n", True),
        ("", "", True),
        ("", "a\n", False),
        ("a\n", "", False),
        ("a\n...\n", "a\n", True),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\n", "b\nc\n", False),
        ("a.\n", "ab\n", False),
    ],
)
def test_three_dots_stand_for_any_lines(expected: str, printed: str, same: bool) -> None:
    assert shows(expected, printed) == same
