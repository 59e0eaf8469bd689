"""`redis-guard init`: afterwards `check` is quiet, what existed is as it was, and a second run changes nothing."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from redis_guard.init import InitError, Step, init
from redis_guard.registry import load_registry
from tests.init.conftest import files

Run = Callable[..., subprocess.CompletedProcess[str]]

ALL = [
    "redis_guard.yaml",
    "app/coordination.py",
    "pyproject.toml",
    ".pre-commit-config.yaml",
    ".redis-guard-baseline.json",
]
CLIENTS = "import redis\n\nr = redis.Redis()\n"
WORK = (
    "from app.clients import r\n\n\ndef hit(account):\n"
    "    r.incr(f'login:{account}')\n    r.expire(f'login:{account}', 60)\n"
)
APP = {"app/__init__.py": "", "app/clients.py": CLIENTS, "app/work.py": WORK}

MANY = CLIENTS + 9 * "r.incr('a:b')\n"
LARGE = ("big/__init__.py", "big/a.py", "big/b.py", "big/c.py", "big/d.py")
TWO = {"one/__init__.py": "", "two/__init__.py": "", "pyproject.toml": "[project]\nname = 'Two'\n"}


def started(root: Path) -> list[Step]:
    return list(init((str(root),), use_cache=False))


def done(steps: list[Step]) -> dict[str, str]:
    return {step.path: step.done for step in steps}


def test_the_shop_is_started_and_check_has_nothing_to_say(shop: Path, run: Run) -> None:
    before = files(shop)

    first = run("init", cwd=shop)
    assert (first.returncode, first.stderr) == (0, "")
    assert [line.split(":")[0] for line in first.stdout.splitlines()] == [
        "created     redis_guard.yaml",
        "created     shop/coordination.py",
        "changed     pyproject.toml",
        "created     .pre-commit-config.yaml",
        "created     .redis-guard-baseline.json",
    ]

    checked = run("check", cwd=shop)
    assert checked.returncode == 0, checked.stdout
    assert run("registry", "check", cwd=shop).returncode == 0

    after = files(shop)
    kept = {name: content for name, content in after.items() if name in before and name != "pyproject.toml"}
    assert kept == {name: content for name, content in before.items() if name != "pyproject.toml"}
    assert after["pyproject.toml"].startswith(before["pyproject.toml"])

    again = run("init", cwd=shop)
    assert again.returncode == 0
    assert [line.split()[:2] for line in again.stdout.splitlines()] == [["left", "alone"]] * 5
    assert files(shop) == after


def test_what_is_new_after_a_start_is_reported(bare: Callable[..., Path], run: Run) -> None:
    root = bare(APP)
    started(root)
    (root / "app" / "more.py").write_text("from app.clients import r\n\nr.lock('job:x')\n")

    checked = run("check", "--output-format", "concise", cwd=root)

    assert checked.returncode == 1
    assert "app/more.py:3:1: RG301" in checked.stdout
    assert "app/work.py" not in checked.stdout


def test_every_file_is_what_it_should_be(bare: Callable[..., Path]) -> None:
    root = bare({**APP, "CODEOWNERS": "app/ @org/web\n"})

    assert done(started(root)) == dict.fromkeys(ALL, "created")

    registry = load_registry([root / "redis_guard.yaml"])
    assert [(case.name, case.owner, case.key.text) for case in registry.use_cases.values()] == [
        ("login", "web", "login:{account}")
    ]
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["redis-guard"]
    assert settings == {
        "registry": ["redis_guard.yaml"],
        "coordination": "app.coordination:coordination",
        "allow": [
            {
                "paths": ["app/clients.py"],
                "rules": ["RG102"],
                "reason": "The connections to Redis are configured here",
            }
        ],
    }
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["redis-guard", "redis-guard-registry"]


def test_the_coordination_object_can_be_used_from_anywhere(bare: Callable[..., Path], tmp_path: Path) -> None:
    root = bare(APP)
    started(root)

    code = "from app.coordination import coordination; print(type(coordination).__module__); coordination.close()"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert shown.stdout == "redis_guard.runtime.coordination\n", shown.stderr


def test_where_the_code_is_asyncio_the_object_is_too(bare: Callable[..., Path], run: Run) -> None:
    work = "from redis.asyncio import Redis\n\nr = Redis()\n\n\nasync def hit(n):\n    await r.incr(f'login:{n}')\n"
    root = bare({"app/__init__.py": "", "app/work.py": work})
    started(root)

    assert "from redis_guard.runtime.aio import Coordination" in (root / "app/coordination.py").read_text()
    (root / "app" / "more.py").write_text(
        "from app.coordination import coordination\n\n\n"
        "async def f(n):\n    coordination.counter('login', n).increment()\n"
    )
    assert "app/more.py:5:5: RG801" in run("check", "--output-format", "concise", cwd=root).stdout


def test_an_empty_project_gets_an_empty_registry_and_no_baseline(bare: Callable[..., Path], run: Run) -> None:
    root = bare({})

    steps = started(root)

    assert done(steps) == {
        "redis_guard.yaml": "created",
        "coordination.py": "created",
        "pyproject.toml": "created",
        ".pre-commit-config.yaml": "created",
        ".redis-guard-baseline.json": "left alone",
    }
    assert load_registry([root / "redis_guard.yaml"]).entries == ()
    checked = run("check", cwd=root)
    assert (checked.returncode, checked.stderr) == (0, "")
    after = files(root)
    assert set(done(started(root)).values()) == {"left alone"}
    assert files(root) == after


def test_nothing_that_exists_is_touched(bare: Callable[..., Path]) -> None:
    there = {
        "redis_guard.yaml": "version: 1 # ours\n",
        "app/coordination.py": "from redis_guard.runtime import Coordination\n\nours = Coordination.from_file('x')\n",
        "pyproject.toml": "[tool.redis-guard]\nguess = true\n",
        ".pre-commit-config.yaml": "repos: [{repo: local, hooks: [{id: redis-guard}]}]\n",
        ".redis-guard-baseline.json": '{"version": 1, "entries": []}\n',
    }
    root = bare({**APP, **there})
    before = files(root)

    steps = started(root)

    assert done(steps) == dict.fromkeys(ALL, "left alone")
    assert files(root) == before
    notes = {step.path: step.note for step in steps}
    assert notes["pyproject.toml"].endswith('add to it: coordination = "app.coordination:ours"')
    assert "`redis-guard check --write-baseline` records them" in notes[".redis-guard-baseline.json"]


def test_a_module_of_another_purpose_keeps_its_name(bare: Callable[..., Path]) -> None:
    root = bare({**APP, "app/coordination.py": "MEETINGS = 3\n"})

    assert done(started(root))["app/redis_coordination.py"] == "created"
    assert (root / "app/coordination.py").read_text() == "MEETINGS = 3\n"
    assert 'coordination = "app.redis_coordination:coordination"' in (root / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("there", "module", "dotted"),
    [
        (APP, "app/coordination.py", "app.coordination"),
        ({f"src/{name}": text for name, text in APP.items()}, "src/app/coordination.py", "app.coordination"),
        ({"work.py": CLIENTS + "r.incr('a:b')\n"}, "coordination.py", "coordination"),
        ({**APP, "tests/__init__.py": "", "tests/test_a.py": MANY}, "app/coordination.py", "app.coordination"),
        ({**APP, "scripts/__init__.py": "", "scripts/a.py": MANY}, "app/coordination.py", "app.coordination"),
        ({**APP, **dict.fromkeys(LARGE, "")}, "app/coordination.py", "app.coordination"),
        (TWO, "two/coordination.py", "two.coordination"),
        ({"app/billing/work.py": CLIENTS + "r.incr('a:b')\n"}, "app/coordination.py", "app.coordination"),
    ],
)  # fmt: skip
def test_the_module_is_put_into_the_main_package(
    bare: Callable[..., Path], there: dict[str, str], module: str, dotted: str
) -> None:
    root = bare(there)

    assert done(started(root))[module] == "created"
    assert f'coordination = "{dotted}:coordination"' in (root / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[tool\n", "pyproject.toml:1: not valid TOML"),
        (b"x = 1\nx = 2\n", "pyproject.toml:2: not valid TOML"),
        (b"\xff\n", "pyproject.toml: not valid TOML: it is not UTF-8"),
        (b"tool = {black = {}}\n", "pyproject.toml: [tool.redis-guard] cannot be added at its end"),
        (b"[tool.redis-guard]\nguss = true\n", 'pyproject.toml:2: unknown key "guss"'),
    ],
)
def test_a_broken_pyproject_is_one_line_and_left_alone(
    bare: Callable[..., Path], run: Run, content: bytes, said: str
) -> None:
    root = bare({**APP, "pyproject.toml": content})

    result = run("init", "--no-cache", cwd=root)

    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert (root / "pyproject.toml").read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"# no end of line",
        b"[project]\r\nname = 'a'\r\n",
        b"\xef\xbb\xbf[tool.x]\ny = 1\n",
        b"[tool]\nx = 1\n",
    ],
)
def test_pyproject_keeps_every_byte_and_its_line_ends(
    bare: Callable[..., Path], run: Run, content: bytes
) -> None:
    root = bare({**APP, "pyproject.toml": content})

    assert done(started(root))["pyproject.toml"] == "changed"

    after = (root / "pyproject.toml").read_bytes()
    assert after.startswith(content)
    assert (b"\r\n" in content) == (after.count(b"\n") == after.count(b"\r\n"))
    assert run("check", cwd=root).returncode == 0


def test_a_broken_registry_is_said_and_nothing_is_written(bare: Callable[..., Path], run: Run) -> None:
    root = bare({**APP, "redis_guard.yaml": "version: 9\n"})
    before = files(root)

    result = run("init", "--no-cache", cwd=root)

    assert result.returncode == 2
    assert result.stderr.startswith("redis_guard.yaml:1:10: ")
    assert files(root) == before


def test_a_path_that_is_not_there_is_said(bare: Callable[..., Path], run: Run) -> None:
    result = run("init", "nowhere", cwd=bare({}))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "nowhere: no such file or directory\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(bare: Callable[..., Path], run: Run) -> None:
    root = bare(APP)
    root.chmod(0o555)
    try:
        result = run("init", "--no-cache", cwd=root)
    finally:
        root.chmod(0o755)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "redis_guard.yaml: cannot be written: Permission denied\n"


@pytest.mark.parametrize("number", range(4))
def test_a_start_that_is_interrupted_is_finished_by_the_next(
    bare: Callable[..., Path], run: Run, number: int
) -> None:
    root = bare(APP)
    steps = init((str(root),), use_cache=False)
    for _ in range(number):
        next(steps)
    steps.close()
    assert list(files(root)) == sorted([*APP, *ALL[:number]])

    assert list(done(started(root)).values()) == ["left alone"] * number + ["created"] * (5 - number)

    assert run("check", cwd=root).returncode == 0
    assert 'coordination = "app.coordination:coordination"' in (root / "pyproject.toml").read_text()


def test_a_disk_that_is_full_leaves_whole_files_only(
    bare: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = bare(APP)
    steps = init((str(root),), use_cache=False)
    next(steps)

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InitError, match=r"^app/coordination.py: cannot be written: No space left on device$"):
        next(steps)

    assert list(files(root)) == sorted([*APP, "redis_guard.yaml"])


def test_only_the_named_part_is_drafted_and_all_of_it_is_recorded(
    bare: Callable[..., Path], run: Run
) -> None:
    other = "from app.clients import r\n\nr.incr('other:count')\n"
    root = bare({**APP, "web/__init__.py": "", "web/other.py": other})

    list(init((str(root / "web"),), use_cache=False))

    assert list(load_registry([root / "redis_guard.yaml"]).use_cases) == ["other_count"]
    assert run("check", cwd=root).returncode == 0


def test_without_a_table_the_project_is_where_its_pyproject_is(bare: Callable[..., Path]) -> None:
    root = bare(
        {
            "services/billing/pyproject.toml": "",
            **{f"services/billing/{name}": text for name, text in APP.items()},
        }
    )

    steps = list(init((str(root / "services" / "billing" / "app"),), use_cache=False))

    assert (root / "services" / "billing" / "redis_guard.yaml").exists()
    (hooks,) = [step for step in steps if step.path == ".pre-commit-config.yaml"]
    assert hooks.done == "left alone"
    assert hooks.note.startswith(f"the hooks of a repository are in {root}")
    assert hooks.add.startswith("- repo: local\n")
    assert not (root / ".pre-commit-config.yaml").exists()
