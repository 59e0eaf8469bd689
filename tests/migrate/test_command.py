"""`redis-guard migrate`: what it prints, what it writes, how it ends."""

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard import migrating
from tests.migrate.conftest import REGISTRY, SYNC, Project, write_project

Run = Callable[..., subprocess.CompletedProcess[str]]
HIT = 'def hit(account):\n    r.incr(f"login:{account}:attempts")\n'
LEFT = f'{HIT}\n\ndef left(account):\n    return r.ttl(f"login:{{account}}:attempts")\n'


def test_a_diff_is_shown_and_nothing_is_written(project: Project, run: Run) -> None:
    root = write_project(project, SYNC + HIT)
    before = (root / "app/main.py").read_bytes()

    done = run("migrate", "--use-case", "attempts", cwd=root)

    assert done.returncode == 0
    assert done.stdout == (
        "--- a/app/main.py\n+++ b/app/main.py\n@@ -1,7 +1,9 @@\n import redis\n"
        "+\n+from app.coordination import coordination\n \n r = redis.Redis()\n \n \n def hit(account):\n"
        '-    r.incr(f"login:{account}:attempts")\n'
        '+    coordination.counter("attempts", str(account)).increment()\n'
    )
    assert done.stderr == "would rewrite 1 call site of attempts in 1 file\n"
    assert (root / "app/main.py").read_bytes() == before


def test_the_diff_is_one_that_patch_takes(project: Project, run: Run) -> None:
    root = write_project(project, SYNC + HIT)
    patch = run("migrate", "--use-case", "attempts", "--diff", cwd=root).stdout

    subprocess.run(["git", "apply", "-"], cwd=root, input=patch, text=True, check=True)

    assert run("migrate", "--use-case", "attempts", cwd=root).stdout == ""


def test_applied_and_a_second_time_nothing_to_do(project: Project, run: Run) -> None:
    root = write_project(project, SYNC + HIT)
    (root / "app/main.py").chmod(0o640)

    done = run("migrate", "--use-case", "attempts", "--apply", cwd=root)
    again = run("migrate", "--use-case", "attempts", "--apply", cwd=root)

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "rewrote 1 call site of attempts in 1 file\n",
        "",
    )
    assert 'coordination.counter("attempts", str(account)).increment()' in (root / "app/main.py").read_text()
    assert stat.S_IMODE((root / "app/main.py").stat().st_mode) == 0o640
    assert (again.returncode, again.stdout) == (
        0, "nothing to do: no direct call on login:{account}:attempts of attempts\n",
    )  # fmt: skip


def test_what_is_left_is_listed(project: Project, run: Run) -> None:
    root = write_project(project, SYNC + LEFT)

    done = run("migrate", "--use-case", "attempts", "--apply", cwd=root)

    assert done.returncode == 1
    assert done.stdout == (
        "app/main.py:7:5: not rewritten: a file is rewritten wholly or not at all, and line 11 is in the way\n"
        "app/main.py:11:12: not rewritten: TTL has no counterpart in a counter of the runtime\n"
        "rewrote 0 call sites of attempts in 0 files; 2 left\n"
    )
    assert (root / "app/main.py").read_text() == SYNC + LEFT


def test_paths_say_what_is_rewritten(project: Project, run: Run) -> None:
    other = 'from app.main import r\n\n\ndef f(a):\n    r.incr(f"login:{a}:attempts")\n'
    root = write_project(project, SYNC + HIT, files={"app/other.py": other})

    done = run("migrate", "app/other.py", "--use-case", "attempts", cwd=root)

    assert "b/app/other.py" in done.stdout
    assert "b/app/main.py" not in done.stdout
    assert (
        done.stderr
        == "1 call site outside the paths that were named\nwould rewrite 1 call site of attempts in 1 file\n"
    )


def test_notes_are_told(project: Project, run: Run) -> None:
    root = write_project(
        project, SYNC + 'def f(b):\n    return bool(r.set(f"export:{b}", 1, nx=True, ex=600))\n'
    )

    done = run("migrate", "--use-case", "export", cwd=root)

    assert done.returncode == 0
    assert done.stderr.startswith(
        "app/main.py:7:17: note: the lifetime is 10m here; the runtime takes the registry's 1m\n"
    )


@pytest.mark.parametrize(
    ("config", "registry", "use_case", "said"),
    [
        ("", REGISTRY, "attempt", '"attempt" is not a use case of redis_guard.yaml; did you mean "attempts"?'),
        ("", "version: 1\nuse_cases: {a: {primitive: lok}}\n", "a", "redis_guard.yaml:2:"),
        ("[tool.redis-guard]\n", REGISTRY, "attempts", "no coordination object is named"),
        ('[tool.redis-guard]\ncoordination = "app.elsewhere:coordination"\n', REGISTRY, "attempts",
         'the module of "app.elsewhere:coordination" is not in the project'),
        ('[tool.redis-guard]\ncoordination = "app.coordination:cordination"\n', REGISTRY, "attempts",
         'app/coordination.py has no cordination; did you mean "coordination"?'),
    ],
)  # fmt: skip
def test_mistakes(project: Project, run: Run, config: str, registry: str, use_case: str, said: str) -> None:
    more = {"config": config} if config else {}
    root = write_project(project, SYNC + HIT, registry=registry, **more)

    done = run("migrate", "--use-case", use_case, "--apply", cwd=root)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert (root / "app/main.py").read_text() == SYNC + HIT


def test_no_registry(project: Project, run: Run) -> None:
    root = write_project(project, SYNC + HIT)
    (root / "redis_guard.yaml").unlink()

    done = run("migrate", "--use-case", "attempts", cwd=root)

    assert (done.returncode, done.stderr) == (
        2, '"attempts" is not a use case of the registry, which has no file\n',
    )  # fmt: skip


def test_the_module_of_the_object_itself_is_left(project: Project, run: Run) -> None:
    code = (
        "import redis\nfrom redis_guard.runtime import Coordination\n\nr = redis.Redis()\n"
        'coordination = Coordination.from_file("redis_guard.yaml")\n\n\n' + HIT
    )
    root = write_project(project, "", files={"app/coordination.py": code})

    done = run("migrate", "--use-case", "attempts", cwd=root)

    assert done.returncode == 1
    assert (
        "app/coordination.py:9:5: not rewritten: app/coordination.py makes the coordination object"
        in done.stderr
    )


def test_a_file_that_changed_meanwhile_is_left_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_project(project, SYNC + HIT)
    path = root / "app/main.py"
    whole = migrating.replace_file

    def late(target: Path, before: bytes, after: bytes) -> str | None:
        path.write_text(f"{SYNC}# somebody was faster\n{HIT}")
        return whole(target, before, after)

    monkeypatch.chdir(root)
    monkeypatch.setattr(migrating, "replace_file", late)
    done = migrating.migrate((), "attempts", write=True, use_cache=False, jobs=1)

    assert done.changes == ()
    assert [said.text for said in done.left] == ["changed since it was read, left alone; run again"]
    assert "somebody was faster" in path.read_text()


def test_an_encoding_is_kept(project: Project, run: Run) -> None:
    root = write_project(project, "")
    path: Path = root / "app/main.py"
    text = f'# -*- coding: latin-1 -*-\n{SYNC}NAME = "Zo\xeb"\n\n\n{HIT}'
    path.write_bytes(text.encode("latin-1"))

    done = run("migrate", "--use-case", "attempts", "--apply", cwd=root)

    assert done.returncode == 0
    assert 'NAME = "Zo\xeb"' in path.read_bytes().decode("latin-1")
    assert b"coordination.counter(" in path.read_bytes()
