"""The project's paths from the top of the repository and from the working directory."""

import pytest

from redis_guard.report.places import Places

ALONE = Places("/code/shop", "/code/shop", "/code/shop")
PART = Places("/code/services/shop", "/code", "/code/services/shop/app")


@pytest.mark.parametrize(
    ("path", "in_repository", "in_working"),
    [
        ("app/limits.py", "services/shop/app/limits.py", "limits.py"),
        ("worker.py", "services/shop/worker.py", "../worker.py"),
        ("a b/caf\udce9.py", "services/shop/a b/caf\udce9.py", "../a b/caf\udce9.py"),
        ("/etc/redis_guard.yaml", "/etc/redis_guard.yaml", "../../../../etc/redis_guard.yaml"),
    ],
)
def test_a_project_may_be_a_part_of_a_repository(path: str, in_repository: str, in_working: str) -> None:
    assert PART.in_repository(path) == in_repository
    assert PART.in_working(path) == in_working


def test_where_all_three_folders_are_one_paths_stay_as_they_are() -> None:
    assert ALONE.in_repository("app/limits.py") == ALONE.in_working("app/limits.py") == "app/limits.py"
