"""Where a set of registry files lies: paths, patterns, packages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from redis_guard.config import ConfigError, load_config
from redis_guard.registry import RegistryError, expand, registry_from_files, registry_from_package

SHARED = 'version: 1\nowners: {web: {contact: "#web"}}\n'
TEAM = """\
version: 1
use_cases:
  one: {primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a registry in three files and an empty folder."""
    for name, text in {
        "redis_guard.yaml": SHARED,
        "services/shop/redis_guard.yaml": TEAM,
        "services/ops/redis_guard.yaml": "version: 1\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(root: Path, *given: str | Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in expand(given, root)]


def test_patterns_give_files_in_order_and_each_once(root: Path) -> None:
    found = names(root, "services/*/redis_guard.yaml", "services/../redis_guard.yaml", "**/redis_guard.yaml")
    assert found == ["services/ops/redis_guard.yaml", "services/shop/redis_guard.yaml", "redis_guard.yaml"]


def test_paths_and_patterns_may_be_absolute_and_objects(root: Path) -> None:
    assert names(root, root / "redis_guard.yaml") == ["redis_guard.yaml"]
    assert len(names(root, f"{root}/services/*/*.yaml")) == 2


def test_a_file_whose_name_looks_like_a_pattern_is_found(root: Path) -> None:
    (root / "team[1].yaml").write_text(SHARED)
    assert names(root, "team[1].yaml") == ["team[1].yaml"]


def test_files_form_one_registry_from_the_working_directory(root: Path) -> None:
    registry = registry_from_files("redis_guard.yaml", Path("services") / "*" / "redis_guard.yaml")
    assert (list(registry.owners), list(registry.use_cases)) == (["web"], ["one"])


def test_every_name_that_leads_nowhere_is_one_line(root: Path) -> None:
    with pytest.raises(RegistryError) as caught:
        registry_from_files("redis_guard.yml", "services/*/redis.yaml", "empty", "", "a\0b", "x" * 300)
    assert str(caught.value).split("\n") == [
        "redis_guard.yml:1:1: does not exist",
        "services/*/redis.yaml:1:1: matches no file",
        "empty:1:1: is a directory, not a file",
        '"":1:1: is a directory, not a file',
        "a\0b:1:1: does not exist",
        f"{'x' * 300}:1:1: cannot be looked up: File name too long",
    ]


def test_the_configuration_finds_the_same_files_and_says_where_it_names_none(root: Path) -> None:
    config = root / "pyproject.toml"
    config.write_text('[tool.redis-guard]\nregistry = ["redis_guard.yaml", "services/*/*.yaml"]\n')
    assert list(load_config(root).registry) == expand(["redis_guard.yaml", "services/*/*.yaml"], root)
    config.write_text('[tool.redis-guard]\nregistry = ["missing.yaml", "*.yml", "empty"]\n')
    with pytest.raises(ConfigError) as caught:
        load_config(root)
    assert str(caught.value).split("\n") == [
        f'{config}:2: "registry" names missing.yaml, which does not exist',
        f'{config}:2: "registry" names *.yml, which matches no file',
        f'{config}:2: "registry" names empty, which is a directory, not a file',
    ]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with a package that holds registries, as files and zipped as well."""
    files = {
        "shelf_app/__init__.py": "",
        "shelf_app/redis_guard.yaml": SHARED + TEAM.removeprefix("version: 1\n"),
        "shelf_app/data/broken.yaml": "version: 2\n",
        "shelf_lame/__init__.py": "import no_such_module_at_all\n",
    }
    for name, text in files.items():
        path = tmp_path / "plain" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with zipfile.ZipFile(tmp_path / "zipped.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return tmp_path


def loading(packages: Path, kind: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`registry_from_package` in a process of its own, far from the files."""
    code = (
        "import sys\n"
        "from redis_guard.registry import RegistryError, registry_from_package\n"
        "try: print(*registry_from_package(*sys.argv[1:]).use_cases)\n"
        "except RegistryError as error: print(error)\n"
    )
    path = os.pathsep.join([str(packages / kind), str(Path(__file__).parents[2])])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd="/",
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("kind", ["plain", "zipped.zip"])
def test_a_package_holds_its_registry_wherever_it_lies(packages: Path, kind: str) -> None:
    assert loading(packages, kind, "shelf_app", "redis_guard.yaml").stdout == "one\n"
    broken = loading(packages, kind, "shelf_app", "data/broken.yaml").stdout
    place = (packages / kind / "shelf_app" / "data" / "broken.yaml").as_posix()
    assert broken == f'{place}:1:10: registry: "version" must be 1, the only one there is\n'


@pytest.mark.parametrize("kind", ["plain", "zipped.zip"])
@pytest.mark.parametrize(
    ("package", "resource", "line"),
    [
        ("no_such_package", "a.yaml", "no_such_package:1:1: cannot be imported: there is no such package"),
        (
            "shelf_app.no_such",
            "a.yaml",
            "shelf_app.no_such:1:1: cannot be imported: there is no such package",
        ),
        ("shelf_app", "a.yaml", "shelf_app/a.yaml:1:1: does not exist in the package shelf_app"),
        ("shelf_app", "data", "shelf_app/data:1:1: is a directory, not a file"),
        ("", "a.yaml", '"":1:1: is not the name of a package'),
        (".app", "a.yaml", ".app:1:1: is not the name of a package"),
    ],
)
def test_a_package_or_a_file_that_is_not_there_is_one_line(
    packages: Path, kind: str, package: str, resource: str, line: str
) -> None:
    done = loading(packages, kind, package, resource)
    assert (done.stdout, done.stderr) == (line + "\n", "")


def test_what_a_package_lacks_itself_is_not_said_of_the_package(packages: Path) -> None:
    assert "No module named 'no_such_module_at_all'" in loading(packages, "plain", "shelf_lame", "a").stderr


def test_a_module_of_the_standard_library_that_is_no_package_is_refused() -> None:
    with pytest.raises(RegistryError, match=r"^json\.decoder:1:1: "):
        registry_from_package("json.decoder", "redis_guard.yaml")
