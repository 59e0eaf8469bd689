"""The settings of a run for people: a line for each, with where it comes from in brackets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from redis_guard.report.printable import one_line, write
from redis_guard.report.settings_model import DEFAULT, Origin, RuleSetting, Setting, Settings

_UNSET = {"select": "what is on by default", "jobs": "as many as there are processors"}
"""What it means that nothing is said."""


def render(shown: Settings, out: TextIO) -> None:
    """Write the root, the settings, the rules that are on, and those that are off."""
    names = ["root", "source", *(setting.name for setting in shown.settings)]
    width = max(map(len, names))
    _row(out, width, "root", shown.root)
    _row(out, width, "source", shown.source or "no file has [tool.redis-guard]")
    for setting in shown.settings:
        _row(out, width, setting.name, f"{_said(setting)} [{_origins(setting.origins)}]")
    for title, on in (("on", True), ("off", False)):
        rules = [rule for rule in shown.rules if rule.on is on]
        write(out, f"\n{len(rules)} rules {title}\n")
        _rules(out, rules)


def _row(out: TextIO, width: int, name: str, text: str) -> None:
    write(out, f"{one_line(name):<{width}}  {one_line(text)}\n")


def _rules(out: TextIO, rules: Sequence[RuleSetting]) -> None:
    for rule in rules:
        origin = "" if rule.origin == DEFAULT else f"  [{_origins((rule.origin,))}]"
        write(out, f"  {rule.code}  {rule.severity.value:<7}  {rule.name}{origin}\n")


def _said(setting: Setting) -> str:
    return _UNSET.get(setting.name, "none") if setting.value is None else _value(setting.value)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_value(inner)}" for name, inner in value.items())
    return (", ".join(value) or "none") if isinstance(value, tuple) else str(value)


def _origins(origins: Iterable[Origin]) -> str:
    return ", ".join(map(_origin, origins))


def _origin(origin: Origin) -> str:
    if origin.option is not None:
        return origin.option
    if origin.path is None:
        return "default"
    return origin.path if origin.line is None else f"{origin.path}:{origin.line}"
