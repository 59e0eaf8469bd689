"""The settings of a run as JSON, version 1.

Law of this file: within a version fields are added, never renamed, removed or given another meaning.
"""

from json import dumps
from typing import TextIO

from redis_guard.report.settings_model import Origin, Settings

VERSION = 1


def render(shown: Settings, out: TextIO) -> None:
    """Write one object, in ASCII."""
    out.write(dumps(document(shown), indent=2) + "\n")


def document(shown: Settings) -> dict[str, object]:
    """The object that is written."""
    return {
        "version": VERSION,
        "tool": {"name": "redis-guard", "version": shown.version},
        "root": shown.root,
        "source": shown.source,
        "settings": [
            {"name": setting.name, "value": setting.value, "from": [_origin(o) for o in setting.origins]}
            for setting in shown.settings
        ],
        "rules": [
            {
                "code": rule.code,
                "name": rule.name,
                "on": rule.on,
                "severity": rule.severity.value,
                "severity_from": _origin(rule.origin),
            }
            for rule in shown.rules
        ],
    }


def _origin(origin: Origin) -> dict[str, object]:
    if origin.option is not None:
        return {"kind": "command line", "option": origin.option}
    if origin.path is not None:
        return {"kind": "file", "path": origin.path, "line": origin.line}
    return {"kind": "default"}
