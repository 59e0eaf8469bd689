"""Each format of `check` from end to end: odd names, odd line endings, a registry, silencers, part of a repository."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from lxml import etree

from redis_guard.cli.check import command
from redis_guard.report import FORMATS

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

SCHEMAS = Path(__file__).parents[1] / "schemas"
COUNTS = {"statistics", "statistics-json"}
"""What --statistics makes of text and json."""
MACHINES = sorted(FORMATS.keys() - {"text", "concise", *COUNTS})
CODE = """import redis

r = redis.Redis()


def count(who):
    größe = "𐐀日本"; hits = r.incr(who)
    if hits == 1:
        r.expire(who, 60)
    with r.lock(who):
        return r.keys("a:*")
"""
FILES = {
    "a b/größe.py": CODE.replace("\n", "\r\n"),
    "latin/f\udce9.py": "import redis\n\nwith redis.Redis().lock('a'):\n    pass\n",
    "allowed.py": CODE.replace(
        'r.keys("a:*")', 'r.keys("a:*")  # redis-guard: allow[RG701] "few" & <small> keys'
    ),
    "broken.py": "import redis\nr.get(\n",
    "redis_guard.yaml": 'version: 1\nowners: {web: {contact: "#web"}}\nkeyspaces:\n'
    '  "s:{a}": {class: cache, owner: web, ttl: 1h, description: Sessions}\n'
    '  "s:{b}": {class: cache, owner: web, ttl: 1h, description: The same again}\n',
}
CONFIG = '[tool.redis-guard]\nselect = ["RG0", "RG2", "RG301", "RG505", "RG701"]\n'


@pytest.fixture
def root(project: Project) -> Path:
    """A project that is a folder of a repository, as `project/services/shop`."""
    files = {f"services/shop/{name}": text.encode("utf-8", "surrogateescape") for name, text in FILES.items()}
    top = project({**files, "services/shop/pyproject.toml": CONFIG})
    (top / ".git").mkdir()
    return top / "services" / "shop"


@pytest.fixture
def written(root: Path, run: Run) -> Callable[..., str]:
    """What a format says of the project."""

    def write(name: str, *arguments: str) -> str:
        done = run("check", "--output-format", name, *arguments, cwd=root)
        assert (done.returncode, done.stderr) == (1, "")
        return done.stdout

    return write


def sarif_run(text: str) -> dict:
    log = json.loads(text)
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text())).validate(log)
    return log["runs"][0]


def test_the_formats_to_choose_from_are_those_that_there_are() -> None:
    (option,) = (option for option in command.params if option.name == "output_format")
    assert set(option.type.choices) == FORMATS.keys() - COUNTS


@pytest.mark.parametrize("name", MACHINES)
def test_a_file_gets_what_the_standard_output_would(
    root: Path, run: Run, written: Callable[..., str], name: str
) -> None:
    target = root / "out put.txt"
    done = run("check", "--output-format", name, "--output-file", target.name, cwd=root)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert target.read_bytes() == written(name).encode()


@pytest.mark.parametrize("name", MACHINES)
def test_a_project_without_findings_is_a_report_too(project: Project, run: Run, name: str) -> None:
    done = run("check", "--output-format", name, cwd=project({"app.py": "x = 1\n"}))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("name", MACHINES)
def test_a_stream_of_another_encoding_takes_every_format(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert run("check", "--output-format", name, cwd=root).stderr == ""


def findings(text: str) -> list[dict]:
    return json.loads(text)["findings"]


def test_json_and_json_lines_say_the_same(written: Callable[..., str]) -> None:
    schema = json.loads((SCHEMAS.parents[1] / "docs" / "check-report.schema.json").read_text())
    document = json.loads(written("json", "--show-suppressed"))
    jsonschema.validate(document, schema)
    *lines, _ = map(json.loads, written("jsonl", "--show-suppressed").splitlines())
    assert lines == document["findings"]
    assert {"RG001", "RG202", "RG301", "RG505", "RG701"} <= {line["code"] for line in lines}


def test_every_fingerprint_is_one_findings_alone_and_stays_when_lines_move(
    root: Path, written: Callable[..., str]
) -> None:
    before = [finding["fingerprint"] for finding in findings(written("json", "--show-suppressed"))]
    for path in root.rglob("*"):
        if path.suffix in (".py", ".yaml"):
            path.write_bytes(b"# one\n\n# two\n" + path.read_bytes())
    after = findings(written("json", "--show-suppressed"))
    assert len(set(before)) == len(before)
    assert [finding["fingerprint"] for finding in after] == before


def test_sarif_leads_to_the_files_and_the_characters(root: Path, written: Callable[..., str]) -> None:
    run = sarif_run(written("sarif"))
    top = root.parents[1]
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{top.as_uri()}/"
    assert run["invocations"][0]["exitCode"] == 1
    seen = set()
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        data = (top / os.fsdecode(unquote_to_bytes(place["artifactLocation"]["uri"]))).read_bytes()
        if result["ruleId"] == "RG301":
            region = place["region"]
            line = data.decode("utf-8").splitlines()[region["startLine"] - 1]
            assert line[region["startColumn"] - 1 : region["endColumn"] - 1] in (
                "r.lock(who)",
                "redis.Redis().lock('a')",
            )
            seen.add(place["artifactLocation"]["uri"])
    assert seen == {
        "services/shop/a%20b/gr%C3%B6%C3%9Fe.py",
        "services/shop/latin/f%E9.py",
        "services/shop/allowed.py",
    }


def test_sarif_has_what_is_allowed_and_what_the_baseline_holds(root: Path, run: Run) -> None:
    assert run("check", "--write-baseline", "--select", "RG301", cwd=root).returncode == 0
    log = sarif_run(run("check", "--output-format", "sarif", cwd=root).stdout)
    kinds = {
        (result["ruleId"], each["kind"], each["justification"])
        for result in log["results"]
        for each in result.get("suppressions", ())
    }
    assert kinds == {
        ("RG701", "inSource", '"few" & <small> keys'),
        ("RG301", "external", "recorded in .redis-guard-baseline.json"),
    }


def test_gitlab_takes_every_issue(root: Path, written: Callable[..., str]) -> None:
    issues = json.loads(written("gitlab"))
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text())
    for issue in issues:
        jsonschema.validate(issue, schema)
        assert issue["location"]["path"].startswith("services/shop/")
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert "services/shop/redis_guard.yaml" in {issue["location"]["path"] for issue in issues}


def test_jenkins_takes_the_test_cases(written: Callable[..., str]) -> None:
    text = written("junit", "--show-suppressed")
    schema = etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))
    document = etree.fromstring(text.encode())
    schema.assertValid(document)
    assert len(document.findall(".//testcase")) == len(findings(written("json", "--show-suppressed")))
    assert document.find(".//skipped").get("message") == 'suppressed by allow: "few" & <small> keys'


def test_reviewdog_finds_the_bytes_from_where_the_command_was_given(root: Path, run: Run) -> None:
    below = root / "a b"
    document = json.loads(run("check", "..", "--output-format", "rdjson", cwd=below).stdout)
    jsonschema.validate(document, json.loads((SCHEMAS / "rdjson.json").read_text()))
    (found,) = (
        each
        for each in document["diagnostics"]
        if each["code"]["value"] == "RG202" and each["location"]["path"] == "größe.py"
    )
    span = found["location"]["range"]
    line = (below / "größe.py").read_bytes().split(b"\r\n")[span["start"]["line"] - 1]
    assert line[span["start"]["column"] - 1 : span["end"]["column"] - 1] == b"r.incr(who)"
    assert "../allowed.py" in {each["location"]["path"] for each in document["diagnostics"]}


def test_github_gets_one_line_a_finding_and_is_told_what_it_leaves_out(project: Project, run: Run) -> None:
    root = project({"app.py": CODE + "r.keys('b')\n" * 12}, config=CONFIG)
    done = run("check", "--output-format", "github", "--select", "RG701", cwd=root)
    assert (
        len([line for line in done.stdout.splitlines() if line.startswith("::error file=app.py,line=")]) == 13
    )
    assert "10 of 13 findings" in done.stderr


MODULES = """
import sys
from redis_guard.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules)
"""


def loaded(run: Run, root: Path, *arguments: str) -> Iterator[str]:
    text = run("check", *arguments, cwd=root, program=("-c", MODULES)).stdout
    return (name for name in text.splitlines()[-1].split() if name.startswith("redis_guard.report."))


@pytest.mark.parametrize("name", ["text", "concise"])
def test_what_people_read_loads_no_format_for_machines(root: Path, run: Run, name: str) -> None:
    there = {module.rpartition(".")[2] for module in loaded(run, root, "--output-format", name)}
    assert name in there
    assert there.isdisjoint({*MACHINES, "sarif_rules", "rule_page", "limits", "valid_json"})


def test_a_byte_order_mark_counts_for_reviewdog_and_for_nobody_else(project: Project, run: Run) -> None:
    """Whose columns are bytes of the file as it is."""
    root = project({"app.py": b"\xef\xbb\xbfimport redis; redis.Redis().lock('a')\n"})

    def read(form: str) -> str:
        return run("check", "--select", "RG301", "--output-format", form, cwd=root).stdout

    (diagnostic,) = json.loads(read("rdjson"))["diagnostics"]
    assert diagnostic["location"]["range"]["start"] == {"line": 1, "column": 18}
    assert findings(read("json"))[0]["column"] == 15
