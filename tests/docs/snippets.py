"""Runs the code that a page shows, so that no page promises what is not so.

Law of this file: blocks are run from top to bottom in one folder, and whatever a block shows has to happen.

- `yaml` whose first line is `# NAME` becomes that file, without a name `redis_guard.yaml`. Files called
  `redis_guard*.yaml` must load, together where several stand one after the other; `yaml broken` must not.
- `toml`, likewise, with `pyproject.toml` as the name.
- `python` is run in one namespace, `await` included; `python sketch` only has to parse; `python file` becomes the file
  that its first line names.
- `console` has commands after `$ ` and what they print, errors included; a line `...` stands for any lines. Only
  `redis-guard`, `echo` and `cat` are run.
"""

import ast
import asyncio
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from redis_guard.registry import RegistryError, load_registry

REPOSITORY = Path(__file__).resolve().parents[2]
DEFAULT_NAMES = {"yaml": "redis_guard.yaml", "toml": "pyproject.toml"}
RUN = ("redis-guard", "echo", "cat")


@dataclass(frozen=True)
class Snippet:
    """One fenced block; `line` is where its code begins, from 1."""

    page: Path
    line: int
    info: str
    code: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line} ({self.info})"


@dataclass
class Run:
    """What the blocks so far have left behind."""

    folder: Path
    namespace: dict[str, object]
    unread: list[Path] = field(default_factory=list)
    """Registry files that have been written and not been loaded yet."""
    status: int = 0


def run_page(page: Path, folder: Path, **namespace: object) -> None:
    """Run all blocks of `page` in the empty `folder`; its Python knows `namespace`. AssertionError names the block."""
    shim = folder / ".bin" / "redis-guard"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m redis_guard "$@"\n')
    shim.chmod(0o755)
    run = Run(folder, {"__name__": "__page__", **namespace})
    for snippet in snippets(page):
        language, _, kind = snippet.info.partition(" ")
        if language != "yaml" or kind:
            _load(run, snippet)
        if language in DEFAULT_NAMES or kind == "file":
            _write(run, snippet, language, kind)
        elif language == "python":
            _python(run, snippet, kind)
        elif language == "console":
            _console(run, snippet)
    _load(run, "the end of the page")


def snippets(page: Path) -> Iterator[Snippet]:
    """The fenced blocks of a page."""
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.map:
            yield Snippet(page, token.map[0] + 2, token.info.strip(), token.content)


def _write(run: Run, snippet: Snippet, language: str, kind: str) -> None:
    named = re.match(r"# ([\w./-]+)$", snippet.code.partition("\n")[0])
    assert named or language in DEFAULT_NAMES, f"{snippet} does not name its file"
    path = run.folder / (named[1] if named else DEFAULT_NAMES[language])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(snippet.code, encoding="utf-8")
    if not path.match("redis_guard*.yaml"):
        assert language != "yaml" or yaml.safe_load(snippet.code), f"{snippet} is empty"
    elif kind == "broken":
        try:
            load_registry([path])
        except RegistryError:
            return
        raise AssertionError(f"{snippet} is not broken")
    else:
        run.unread.append(path)
        if not named:
            _load(run, snippet)


def _load(run: Run, where: object) -> None:
    try:
        load_registry(run.unread)
    except RegistryError as error:
        raise AssertionError(f"before {where}, a registry does not load:\n{error}") from None
    run.unread.clear()


def _python(run: Run, snippet: Snippet, kind: str) -> None:
    # With its lines where they are in the page, tracebacks lead there.
    text = "\n" * (snippet.line - 1) + snippet.code
    tree = ast.parse(text, str(snippet.page))
    if kind == "sketch":
        return
    code = compile(tree, str(snippet.page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    with chdir(run.folder):
        result = eval(code, run.namespace)
        if inspect.iscoroutine(result):
            asyncio.run(result)


def _console(run: Run, snippet: Snippet) -> None:
    before, *commands = re.split(r"^\$ ", snippet.code, flags=re.MULTILINE)
    assert not before.strip(), f"{snippet} begins with output"
    for text in commands:
        command, _, expected = text.partition("\n")
        if command.split()[0] not in RUN:
            assert not expected.strip(), f"{snippet} shows the output of `{command}`, which is not run"
            continue
        # `echo $?` is about the command before it.
        done = subprocess.run(
            ["sh", "-c", f"(exit {run.status}); {command}"],
            cwd=run.folder,
            env={
                **os.environ,
                "PATH": f"{run.folder / '.bin'}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(REPOSITORY),
                "COLUMNS": "100",
                "NO_COLOR": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        run.status = done.returncode
        assert shows(expected, done.stdout), f"{snippet}: `{command}` prints\n{done.stdout}"


def shows(expected: str, printed: str) -> bool:
    """Is that what was printed? A line `...` stands for any lines, none as well."""
    lines = [
        r"(?:.*\n)*?" if line.strip() == "..." else f"{re.escape(line.rstrip())}[ ]*\n"
        for line in expected.rstrip().splitlines()
    ]
    return re.fullmatch("".join(lines), f"{printed.rstrip()}\n" if printed.strip() else "") is not None
