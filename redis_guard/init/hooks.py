"""The hooks for pre-commit, behind the repositories that its file lists.

Law of this file: a file is changed only where all of it that was there is read back unchanged.
"""

from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from redis_guard.init.steps import Step, appended, change, create
from redis_guard.plain_files import is_there, read_plain

FILE_NAME = ".pre-commit-config.yaml"
_OURS = ("redis-guard", "redis-guard-registry", "redis-guard-fix")
_ENTRY = """\
- repo: local
  hooks:
    - id: redis-guard
      name: redis-guard
      entry: redis-guard check
      language: system
      types_or: [python, pyi]
      require_serial: true
    - id: redis-guard-registry
      name: redis-guard registry
      entry: redis-guard registry check
      language: system
      files: (^|/)(redis_guard[^/]*\\.ya?ml|pyproject\\.toml)$
      pass_filenames: false
"""
_NOTE = "hooks redis-guard and redis-guard-registry"


def add_hooks(root: Path) -> Step:
    """Write the hooks, or say what is to be added. Raises InitError."""
    repository = next((above for above in (root, *root.parents) if is_there(above / ".git")), root)
    if repository != root:
        note = f"the hooks of a repository are in {repository / FILE_NAME}; add these there"
        return Step("left alone", FILE_NAME, note, _ENTRY)
    path = root / FILE_NAME
    if not is_there(path):
        return create(root, FILE_NAME, f"repos:\n{indent(_ENTRY, '  ')}", _NOTE)
    try:
        before = read_plain(path)
        document = yaml.safe_load(before.decode("utf-8-sig"))
    except OSError as error:
        return _by_hand(f"it cannot be read ({error.strerror or error})")
    except (ValueError, yaml.YAMLError, RecursionError):
        return _by_hand("it cannot be read as YAML")
    if not isinstance(document, dict) or not isinstance(repos := document.get("repos"), list):
        return _by_hand("it has no list `repos`")
    if any(hook in _OURS for hook in _hooks(repos)):
        return Step("left alone", FILE_NAME, "it has the hook already")
    after = _after(before, document)
    return (
        _by_hand("its list `repos` cannot be added to safely")
        if after is None
        else change(root, FILE_NAME, before, after, f"{_NOTE} added")
    )


def _by_hand(why: str) -> Step:
    return Step("left alone", FILE_NAME, f"{why}; add this to its `repos`", _ENTRY)


def _hooks(repos: list[Any]) -> list[object]:
    return [
        hook.get("id")
        for repo in repos
        if isinstance(repo, dict)
        for hook in repo.get("hooks") or ()
        if isinstance(hook, dict)
    ]


def _after(before: bytes, document: dict[str, Any]) -> bytes | None:
    """The file with the entry behind the list's last one; None where that would change anything else."""
    text = before.decode("utf-8-sig")
    top = yaml.compose(text, Loader=yaml.SafeLoader)
    assert isinstance(top, yaml.MappingNode)
    (repos,) = [value for key, value in top.value if key.value == "repos"]
    if repos.flow_style or not repos.value:
        return None
    entry = indent(_ENTRY, " " * repos.start_mark.column)
    lines = before.splitlines(keepends=True)
    end = repos.end_mark.line + (repos.end_mark.column > 0)
    text_ends = end
    while lines[text_ends - 1].lstrip()[:1] in (b"", b"#"):
        text_ends -= 1  # what stands between the list and the next key belongs to that
    for number in (text_ends, end):
        after = appended(b"".join(lines[:number]), entry) + b"".join(lines[number:])
        if _reads(after) == {**document, "repos": [*document["repos"], *yaml.safe_load(_ENTRY)]}:
            return after
    return None


def _reads(content: bytes) -> object:
    try:
        return yaml.safe_load(content.decode("utf-8-sig"))
    except yaml.YAMLError:
        return None
