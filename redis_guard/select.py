"""Which rules a run judges by.

Law of this file: a selector means a code, the beginning of codes, a name, or `ALL`; one that means nothing is an error.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from redis_guard.finding import Severity
from redis_guard.mistake import Mistake

_CODE = re.compile(r"RG\d{0,3}")
_LIKE_A_CODE = re.compile(r"RG\d+")


class SelectorError(Mistake):
    """A selector means no rule; the message is one line."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """What selecting needs to know of a rule, so that a run that judges nothing anew loads no rule."""

    code: str
    name: str
    severity: Severity
    default: bool
    whole: bool = False
    """It judges only runs over the whole project."""

    def meant_by(self, selector: str) -> bool:
        return means(selector, self.code, self.name)


def means(selector: str, code: str, name: str) -> bool:
    """Whether a selector means the rule of this code and name."""
    wanted = selector.strip()
    if wanted.upper() == "ALL" or wanted.lower() == name:
        return True
    return bool(_CODE.fullmatch(wanted.upper())) and code.startswith(wanted.upper())


def chosen(
    rules: Sequence[RuleEntry],
    select: Sequence[str] | None,
    ignore: Iterable[str],
    extend_select: Iterable[str],
) -> frozenset[str]:
    """The codes that are on; the more exact selector outweighs, and `ignore` a selection that is as exact."""
    weights: dict[str, int] = {rule.code: 0 for rule in rules if rule.default} if select is None else {}
    for selector in (*(select or ()), *extend_select):
        for rule in _meant(rules, selector):
            weights[rule.code] = max(weights.get(rule.code, 0), _weight(selector))
    for selector in ignore:
        for rule in _meant(rules, selector):
            if weights.get(rule.code, -1) <= _weight(selector):
                weights.pop(rule.code, None)
    return frozenset(weights)


def severities(rules: Sequence[RuleEntry], overrides: Mapping[str, str]) -> dict[str, Severity]:
    """The severity of every rule that the configuration speaks of."""
    return {code: Severity(overrides[selector]) for code, selector in decisive(rules, overrides).items()}


def decisive(rules: Sequence[RuleEntry], selectors: Iterable[str]) -> dict[str, str]:
    """For every rule that one of the selectors means the most exact of them, of several such the last."""
    return {
        rule.code: selector for selector in sorted(selectors, key=_weight) for rule in _meant(rules, selector)
    }


def refuse_unknown(names: Mapping[str, str], selectors: Iterable[str], where: str) -> None:
    """Raise SelectorError for one that means none of the rules (code to name); `where` is who wrote them."""
    for selector in selectors:
        if not any(means(selector, *rule) for rule in names.items()):
            raise SelectorError(f"{where}: {unknown_rule(selector, names)}")


def unknown_rule(selector: str, names: Mapping[str, str]) -> str:
    """What to say of one that means none of the rules: what was probably meant, and how to see them all."""
    return (
        f"no rule is called {selector!r}{_hint(selector.strip(), names)}; `redis-guard rule --all` lists them"
    )


def _hint(selector: str, names: Mapping[str, str]) -> str:
    code = selector.upper()
    if _LIKE_A_CODE.fullmatch(code):
        # a wrong number resembles many codes and means none of them
        family = [known for known in sorted(names) if len(code) > 3 and known.startswith(code[:3])]
        if family:
            return f"; {code[:3]} has {family[0]} to {family[-1]}"
        families = sorted({known[:3] for known in names})
        return f"; codes begin with {', '.join(families)}"
    from redis_guard.nearest import did_you_mean

    return did_you_mean(selector, [*names, *names.values()])


def _weight(selector: str) -> int:
    """`ALL` 1, `RG` 3, `RG2` 4, `RG20` 5, codes and names 9."""
    text = selector.strip()
    if text.upper() == "ALL":
        return 1
    return len(text) + 1 if _CODE.fullmatch(text.upper()) and len(text) < 5 else 9


def _meant(rules: Sequence[RuleEntry], selector: str) -> Iterator[RuleEntry]:
    return (rule for rule in rules if rule.meant_by(selector))
