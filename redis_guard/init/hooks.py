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
    if (after := _after(before, document)) is None:
        return _by_hand("its list `repos` cannot be added to safely")
    return change(root, FILE_NAME, before, after, f"{_NOTE} added")


def _by_hand(why: str) -> Step:
    return Step("left alone", FILE_NAME, f"{why}; add this to its `repos`", _ENTRY)


def _hooks(repos: list[Any]) -> list[object]:
    lists = [repo.get("hooks") for repo in repos if isinstance(repo, dict)]
    hooks = [hook for found in lists if isinstance(found, list) for hook in found]
    return [hook.get("id") for hook in hooks if isinstance(hook, dict)]


def _after(before: bytes, document: dict[str, Any]) -> bytes | None:
    """The file with the entry behind the list's last one; None where that would change anything else."""
    top = yaml.compose(before.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    pairs = top.value if isinstance(top, yaml.MappingNode) else []
    found = [value for key, value in pairs if key.value == "repos"]
    if len(found) != 1 or found[0].flow_style or not found[0].value:
        return None
    entry = indent(_ENTRY, " " * found[0].start_mark.column)
    lines = before.splitlines(keepends=True)
    end = min(found[0].end_mark.line + (found[0].end_mark.column > 0), len(lines))
    text_ends = end
    while text_ends and lines[text_ends - 1].lstrip()[:1] in (b"", b"#"):
        text_ends -= 1  # what stands between the list and the next key belongs to that
    for number in (text_ends, end):
        after = appended(b"".join(lines[:number]), entry) + b"".join(lines[number:])
        if _is(after, {**document, "repos": [*document["repos"], *yaml.safe_load(_ENTRY)]}):
            return after
    return None


def _is(content: bytes, wanted: object) -> bool:
    try:
        return bool(yaml.safe_load(content.decode("utf-8-sig")) == wanted)
    except (yaml.YAMLError, RecursionError):  # a list may hold itself
        return False
