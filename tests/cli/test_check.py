"""`redis-guard check` as a user meets it: formats, selection, exit statuses, and one clear line for each mistake."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Project = Callable[..., Path]

BAD = "import redis\n\nr = redis.Redis()\n\n\ndef work(name):\n    with r.lock(name):\n        return r.keys('a:*')\n"


def test_findings_give_exit_status_1_with_a_source_frame(project: Project, run: Run) -> None:
    done = run("check", "--select", "lock-without-timeout", cwd=project({"app.py": BAD}))
    assert done.returncode == 1
    assert "app.py:7:10" in done.stdout
    assert "^^^^^^^^^^^^" in done.stdout
    assert done.stderr == ""


def test_a_clean_tree_gives_exit_status_0(project: Project, run: Run) -> None:
    done = run("check", cwd=project({"app.py": "x = 1\n"}))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("selector", ["RG301", "rg301", "RG3", "lock-without-timeout", "ALL", "RG1,RG301"])
def test_rules_are_selected_by_code_prefix_name_or_all(project: Project, run: Run, selector: str) -> None:
    done = run("check", "--select", selector, "--output-format", "concise", cwd=project({"app.py": BAD}))
    assert "app.py:7:10: RG301" in done.stdout


def test_ignore_outweighs_a_wider_selection_and_yields_to_a_narrower_one(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    wide = run("check", "--select", "RG3", "--ignore", "RG301", "--output-format", "concise", cwd=root)
    narrow = run("check", "--select", "RG301", "--ignore", "RG3", "--output-format", "concise", cwd=root)
    assert "RG301" not in wide.stdout
    assert "RG301" in narrow.stdout


def test_json_is_versioned_and_counts(project: Project, run: Run) -> None:
    done = run("check", "--select", "RG301", "--output-format", "json", cwd=project({"app.py": BAD}))
    report = json.loads(done.stdout)
    assert report["version"] == 1
    assert report["summary"]["by_rule"] == {"RG301": 1}
    (finding,) = report["findings"]
    assert (finding["path"], finding["line"], finding["column"], finding["key"]) == (
        "app.py",
        7,
        10,
        "{name}",
    )
    assert finding["fingerprint"]


def test_a_report_can_go_to_a_file(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    done = run(
        "check", "--select", "RG301", "--output-format", "concise", "--output-file", "out.txt", cwd=root
    )
    assert done.stdout == ""
    assert "RG301" in (root / "out.txt").read_text()


def test_statistics_count_by_rule(project: Project, run: Run) -> None:
    done = run("check", "--select", "RG301", "--statistics", cwd=project({"app.py": BAD}))
    assert "RG301" in done.stdout
    assert "app.py:7" not in done.stdout


def test_exit_zero_and_fail_on(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    assert run("check", "--exit-zero", cwd=root).returncode == 0
    eased = project({}, config='[tool.redis-guard]\nseverity = { RG301 = "note" }\n')
    assert run("check", "--select", "RG301", cwd=eased).returncode == 0
    assert run("check", "--select", "RG301", "--fail-on", "note", cwd=eased).returncode == 1


def test_standard_input_stands_for_a_file_and_is_checked_instead_of_it(project: Project, run: Run) -> None:
    root = project({"app.py": "x = 1\n"})
    arguments = (
        "check",
        "--select",
        "RG301",
        "--output-format",
        "concise",
        "--stdin-filename",
        "app.py",
        "-",
    )
    assert "app.py:7:10: RG301" in run(*arguments, cwd=root, stdin=BAD).stdout
    new = ("check", "--select", "RG301", "--output-format", "concise", "--stdin-filename", "new.py", "-")
    assert "new.py:7:10: RG301" in run(*new, cwd=root, stdin=BAD).stdout


def test_only_the_named_paths_are_reported_but_the_whole_project_is_known(project: Project, run: Run) -> None:
    root = project(
        {"app/clients.py": "import redis\n\nclient = redis.Redis()\n",
         "app/user.py": "from app.clients import client\n\n\ndef f(n):\n    return client.lock(n)\n",
         "app/other.py": BAD}
    )  # fmt: skip
    done = run("check", "--select", "RG301", "--output-format", "concise", "app/user.py", cwd=root)
    assert [line.split(":")[0] for line in done.stdout.splitlines() if "RG301" in line] == ["app/user.py"]


def test_an_allow_with_a_reason_silences_and_one_without_is_named(project: Project, run: Run) -> None:
    allowed = BAD.replace(
        "r.lock(name):", "r.lock(name):  # redis-guard: allow[RG301] held for one request only"
    )
    bare = BAD.replace("r.lock(name):", "r.lock(name):  # redis-guard: allow[RG301]")
    select = ("check", "--select", "RG301,RG002,RG003", "--output-format", "concise")
    assert run(*select, cwd=project({"app.py": allowed})).returncode == 0
    assert {line.split()[1] for line in run(*select, cwd=project({"app.py": bare})).stdout.splitlines()} >= {
        "RG003", "RG301"
    }  # fmt: skip


def test_tests_may_call_redis_look_at_all_keys_and_empty_the_database(project: Project, run: Run) -> None:
    text = "import redis\n\nr = redis.Redis()\nr.set('a:1', 1)\nr.keys('a:*')\nr.flushdb()\n"
    root = project({"tests/test_a.py": text, "app.py": text})
    done = run("check", "--select", "RG101,RG401,RG701,RG702", "--output-format", "concise", cwd=root)
    assert {line.split(":")[0] for line in done.stdout.splitlines()} == {"app.py"}
    assert {line.split()[1] for line in done.stdout.splitlines()} == {"RG101", "RG401", "RG701", "RG702"}


def test_an_allow_left_behind_in_a_file_without_redis_is_named(project: Project, run: Run) -> None:
    root = project({"app.py": "x = 1  # redis-guard: allow[RG301] nothing is here now\n"})
    assert "RG002" in run("check", "--output-format", "concise", cwd=root).stdout


def test_allows_can_be_written_for_what_is_found(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    run("check", "--select", "RG301", "--add-allow", "held for one request only", cwd=root)
    assert "# redis-guard: allow[RG301] held for one request only" in (root / "app.py").read_text()
    assert run("check", "--select", "RG301", cwd=root).returncode == 0


def test_a_baseline_silences_the_old_and_not_the_new(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    assert run("check", "--select", "RG301", "--write-baseline", cwd=root).returncode == 0
    assert run("check", "--select", "RG301", cwd=root).returncode == 0
    (root / "app.py").write_text(
        "# moved\n\n" + BAD + "\n\ndef more(name):\n    return r.lock('b:' + name)\n"
    )
    again = run("check", "--select", "RG301", "--output-format", "concise", cwd=root)
    assert [line.split(": ")[0] for line in again.stdout.splitlines() if "RG301" in line] == ["app.py:14:12"]


def test_a_baseline_is_pruned_on_demand(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    run("check", "--select", "RG301", "--write-baseline", cwd=root)
    (root / "app.py").write_text("x = 1\n")
    run("check", "--select", "RG301", "--prune-baseline", cwd=root)
    assert json.loads((root / ".redis-guard-baseline.json").read_text())["entries"] == []


@pytest.mark.parametrize(
    ("arguments", "config", "files", "said"),
    [
        (("check", "gone.py"), "", {}, "gone.py: no such file or directory"),
        (("check", "--select", "RG999"), "", {}, "no rule is called 'RG999'"),
        (("check", "--select", "mising-ttl"), "", {}, "no rule is called 'mising-ttl'"),
        (("check",), 'selekt = ["RG1"]\n', {}, "pyproject.toml:2: unknown key"),
        (("check",), "select = 3\n", {}, "pyproject.toml:2:"),
        (("check",), 'registry = ["gone.yaml"]\n', {}, "gone.yaml"),
        (("check",), "", {"redis_guard.yaml": "version: 1\nuse_cases: {a: 3}\n"}, "redis_guard.yaml:2:"),
        (
            ("check",),
            'allow = [{paths = ["a"], rules = ["RG999"], reason = "not a real rule"}]\n',
            {},
            "'RG999'",
        ),
        (("check",), "", {".redis-guard-baseline.json": "{"}, ".redis-guard-baseline.json:1"),
        (("check", "--config", "gone.toml"), "", {}, "gone.toml"),
        (("check", "--add-allow", "because"), "", {"app.py": BAD}, "three words"),
        (("check", "-"), "", {}, "--stdin-filename"),
        (("check", "--jobs", "0"), "", {}, "--jobs"),
        (("rule", "RG999"), "", {}, "no rule is called 'RG999'"),
        (("chek",), "", {}, "chek"),
    ],
)
def test_a_mistake_is_a_clear_line_and_exit_status_2(
    project: Project, run: Run, arguments: tuple[str, ...], config: str, files: dict[str, str], said: str
) -> None:
    done = run(*arguments, cwd=project(files, config="[tool.redis-guard]\n" + config))
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"import redis\nprint 'x'\n", "RG001"),
        (b"import redis\nx = '\xff'\n", "RG001"),
        (b"import redis\n\0\n", "RG001"),
        (b"# -*- coding: nonsense -*-\nimport redis\n", "RG001"),
        (b"import redis\nx = " + b"(" * 3000 + b"1" + b")" * 3000, "RG001"),
        ("import redis\n".encode("utf-16"), "RG001"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding_and_the_rest_goes_on(
    project: Project, run: Run, content: bytes, said: str
) -> None:
    done = run("check", "--output-format", "concise", cwd=project({"bad.py": content, "app.py": BAD}))
    lines = [line for line in done.stdout.splitlines() if line.startswith("bad.py")]
    assert len(lines) == 1
    assert said in lines[0]
    assert "app.py:7:10: RG301" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("content", [b"", b"rubbish", b"\0" * 4096])
def test_a_broken_cache_costs_a_warning_at_most(project: Project, run: Run, content: bytes) -> None:
    root = project({"app.py": BAD})
    run("check", cwd=root)
    (root / ".redis_guard_cache" / "cache.bin").write_bytes(content)
    done = run("check", "--output-format", "concise", cwd=root)
    assert "RG301" in done.stdout
    assert done.stderr.count("\n") <= 1
    assert run("check", cwd=root).stderr == ""


def test_a_reader_that_leaves_early_ends_it_quietly(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    script = (
        "import subprocess, sys\n"
        "command = [sys.executable, '-m', 'redis_guard', 'check', '--no-cache']\n"
        "p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "p.stdout.close()\n"
        "print(p.stderr.read().decode())"
    )
    assert run(script, cwd=root, program=("-c",)).stdout.strip() == ""


def test_statistics_as_json_are_counts_by_rule(project: Project, run: Run) -> None:
    root = project({"app.py": BAD})
    done = run("check", "--select", "RG301", "--statistics", "--output-format", "json", cwd=root)
    assert json.loads(done.stdout) == {"version": 1, "by_rule": {"RG301": 1}}
    done = run("check", "--statistics", "--output-format", "sarif", cwd=root)
    assert done.returncode == 2
    assert "--statistics writes --output-format text or json" in done.stderr


def test_a_wrong_selector_is_told_before_any_work_is_done(project: Project, run: Run) -> None:
    root = project({"app.py": BAD}, '[tool.redis-guard]\nselect = ["RG9"]\n')
    done = run("check", cwd=root)
    assert done.returncode == 2
    assert "pyproject.toml:2: no rule is called 'RG9'; codes begin with RG0, RG1" in done.stderr
    assert not (root / ".redis_guard_cache").exists()


def test_the_beginning_of_codes_lists_those_rules(project: Project, run: Run) -> None:
    done = run("rule", "RG30", cwd=project({}))
    assert done.returncode == 0
    assert {line.split()[0][:4] for line in done.stdout.splitlines()} == {"RG30"}
    assert len(done.stdout.splitlines()) > 5
    done = run("rule", "RG299", cwd=project({}))
    assert "no rule is called 'RG299'; RG2 has RG201 to RG213" in done.stderr


def test_help_says_which_findings_make_it_fail(project: Project, run: Run) -> None:
    said = " ".join(run("check", "--help", cwd=project({})).stdout.split())
    assert "1 findings at or above --fail-on, 2 the work could not be done" in said
