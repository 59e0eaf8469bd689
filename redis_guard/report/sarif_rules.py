"""Rules as SARIF describes them: names, pages and levels.

Law of this file: what it says of a rule is the same in every run of a version, so that a viewer may keep it.
"""

from redis_guard.report.rule_like import RuleLike
from redis_guard.report.rule_page import rule_page, sections
from redis_guard.rule import FAMILIES


def descriptor(rule: RuleLike) -> dict[str, object]:
    """The rule as a `reportingDescriptor`."""
    parts = sections(rule.doc)
    family = FAMILIES[rule.code[:3]].lower().replace(" ", "-")
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{parts['What']} {parts['Why it hurts']}"},
        "help": {"text": rule_page(rule, "text"), "markdown": rule_page(rule, "md")},
        "defaultConfiguration": {"enabled": rule.default, "level": rule.severity.value},
        "properties": {"tags": ["redis", family]},
    }
