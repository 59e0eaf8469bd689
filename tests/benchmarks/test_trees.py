import ast
import subprocess
from pathlib import Path

from benchmarks import trees
from benchmarks.trees import SHOP, WITH_REDIS
from benchmarks.workshop import Workshop


def _names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.py")}


def test_client_libraries_and_folders_that_a_tool_leaves_out_are_not_laid(site: Path) -> None:
    found = [str(path.relative_to(site)) for path in trees.installed(site=site)]

    assert found == ["alpha/__init__.py", "beta/core.py", "gamma/redis_cache.py"]


def test_twice_holds_every_file_of_mid_twice(workshop: Workshop) -> None:
    mid, twice = workshop.mid().root, workshop.twice().root

    assert _names(mid / "part000") == {"alpha/__init__.py", "beta/core.py"}
    assert len(_names(twice)) == 2 * len(_names(mid))


def test_huge_repeats_the_packages_until_there_are_enough(workshop: Workshop) -> None:
    parts = [path.name for path in workshop.huge().root.glob("part*")]

    assert sorted(parts) == ["part000", "part001"]


def test_each_shop_imports_itself(workshop: Workshop) -> None:
    root = workshop.twice().root

    for package in ("shop000", "shop001"):
        for path in (root / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            assert {name.split(".")[0] for name in imported if name.startswith("shop")} <= {package}


def test_the_files_named_for_a_hook_are_there(workshop: Workshop) -> None:
    tree = workshop.mid()

    assert all((tree.root / name).is_file() for name in tree.with_redis() + tree.without_redis())
    assert len(tree.with_redis()) == len(WITH_REDIS) == 5
    assert tree.without_redis() == ("part000/alpha/__init__.py", "part000/beta/core.py")


def test_a_tree_is_tracked_but_its_cache_is_not(workshop: Workshop) -> None:
    tree = workshop.shop()
    tree.cache.mkdir()
    (tree.cache / "facts").write_text("", encoding="utf-8")

    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=tree.root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()

    assert "shop000/cart.py" in listed
    assert "redis_guard.yaml" in listed
    assert not [name for name in listed if name.startswith(".redis_guard_cache")]


def test_a_tree_is_laid_once(workshop: Workshop) -> None:
    edited = workshop.shop().root / "shop000" / "cart.py"
    edited.write_text("", encoding="utf-8")

    assert workshop.shop().root == edited.parent.parent
    assert edited.read_text(encoding="utf-8") == ""


def test_the_shop_has_the_files_that_are_named() -> None:
    assert all((SHOP / "shop" / name).is_file() for name in WITH_REDIS)
