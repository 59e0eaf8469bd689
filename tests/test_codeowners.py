"""CODEOWNERS as GitHub reads it, and as much of GitLab's as is common."""

from pathlib import Path

import pytest

from redis_guard.codeowners import CodeOwnersError, code_owners, owners_by

# The example of GitHub's own page.
GITHUB = """\
# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("@global-owner1", "@global-owner2")),
        ("web/app.js", ("@js-owner",)),
        ("cmd/main.go", ("docs@example.com",)),
        ("a.txt", ("@octo-org/octocats",)),
        ("docs/getting-started.md", ("docs@example.com",)),
        ("docs/build-app/troubleshooting.md", ("@global-owner1", "@global-owner2")),
        ("old/apps/x.py", ("@octocat",)),
        ("scripts/x.py", ("@doctocat", "@octocat")),
        ("build/logs/x", ("@octocat",)),
        ("deeply/nested/logs/x", ("@octocat",)),
        ("apps/x.py", ("@octocat",)),
        ("apps/github/x.py", ()),
    ],
)
def test_the_last_line_that_matches_decides(path: str, owners: tuple[str, ...]) -> None:
    assert owners_by(GITHUB)(path) == owners


def test_what_github_does_not_understand_counts_for_nothing() -> None:
    owners = owners_by("*.py @all\n!keep.py @not\n[ab].py @range\n\\#odd.py @odd\n")

    assert owners("keep.py") == owners("a.py") == ("@all",)


def test_a_blank_may_be_escaped() -> None:
    assert owners_by("two\\ words/ @both\n")("two words/a.py") == ("@both",)


def test_a_section_of_gitlab_lends_its_owners_to_lines_without() -> None:
    owners = owners_by("[Billing] @billing\napp/billing/\n^[Docs][2] @writers\ndocs/ @one\n")

    assert owners("app/billing/x.py") == ("@billing",)
    assert owners("docs/x.md") == ("@one",)


@pytest.mark.parametrize(
    "place", ["CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"]
)
def test_the_file_is_found_where_forges_look(tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("* @all\n")

    owners = code_owners(tmp_path)

    assert owners is not None
    assert owners("a.py") == ("@all",)


def test_paths_of_a_project_within_a_repository_are_those_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CODEOWNERS").write_text("/services/billing/app/ @billing\n")

    owners = code_owners(tmp_path / "services" / "billing")

    assert owners is not None
    assert owners("app/x.py") == ("@billing",)
    assert owners("x.py") == ()


def test_no_file_is_no_answer_and_an_unreadable_one_is_a_mistake(tmp_path: Path) -> None:
    assert code_owners(tmp_path) is None

    (tmp_path / "CODEOWNERS").mkdir()
    with pytest.raises(CodeOwnersError, match="CODEOWNERS: cannot be read: Is a directory"):
        code_owners(tmp_path)
