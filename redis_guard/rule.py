"""A rule: what it is called, what it says, and the pure function that judges.

Law of this file: a rule is a value. It is found in its folder (`redis_guard.rules`), it registers nothing,
and it sees facts and the registry only.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from redis_guard.finding import Confidence, Finding, Fix, Related, Severity, Span
from redis_guard.fixes.repair import Repair
from redis_guard.passwords import masked
from redis_guard.project.model import (
    CacheCall,
    Call,
    Construction,
    Held,
    ModuleUses,
    ProjectUses,
    RuntimeCall,
    SaidName,
)
from redis_guard.registry import Registry

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "RG0": "Files and silence",
        "RG1": "Direct use",
        "RG2": "Races",
        "RG3": "Locks",
        "RG4": "Lifetimes",
        "RG5": "The registry",
        "RG6": "Keys",
        "RG7": "Commands",
        "RG8": "Calls and values",
    }
)
"""By the first digit of the code."""

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

Fixability = Literal["safe", "unsafe", "both", "none"]


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule says about one place, before it is dressed as a finding."""

    path: str
    span: Span
    message: str
    function: str = ""
    method: str | None = None
    command: str | None = None
    key: str | None = None
    use_case: str | None = None
    confidence: Confidence = "certain"
    related: tuple[Related, ...] = ()
    repair: Repair | None = None


def at(
    where: Call | Construction | CacheCall,
    message: str,
    *others: tuple[Call | Construction | CacheCall, str],
    repair: Repair | None = None,
) -> Report:
    """A report at a call, with other places each of which says what it has to do with it."""
    key = None if isinstance(where, Construction) else where.key
    if key is None and isinstance(where, Call):
        key = where.lock_key
    return Report(
        where.path,
        where.span,
        message,
        function=where.place.function.qualname,
        method=None if isinstance(where, Construction) else where.method,
        command=where.command if isinstance(where, Call) else None,
        key=None if key is None else key.template,
        confidence="certain" if isinstance(where, CacheCall) else where.confidence,
        related=tuple(Related(other.path, other.span, said) for other, said in others),
        repair=repair,
    )


def at_lock(
    held: Held,
    span: Span,
    message: str,
    *others: tuple[Span, str],
    method: str | None = None,
    repair: Repair | None = None,
) -> Report:
    """A report about a lock object, at a place in the file of the function that takes it."""
    return Report(
        held.path,
        span,
        message,
        function=held.function.qualname,
        method=method,
        key=next(
            (name.key.template for made in held.makings if (name := made.argument("name", "key"))), None
        ),
        confidence=held.confidence,
        related=tuple(Related(held.path, other, said) for other, said in others),
        repair=repair,
    )


def at_name(
    call: RuntimeCall, said: SaidName, message: str, *others: Related, repair: Repair | None = None
) -> Report:
    """A report where the name of a use case is said; if a helper hands it on, with the call that it ends in."""
    ends_in = Related(call.path, call.span, f"the {call.primitive or 'call'} it is handed to")
    handed_on = (said.path, said.span) != (call.path, call.span)
    return Report(
        said.path,
        said.span,
        message,
        function=said.function,
        method=call.primitive,
        use_case=said.text,
        confidence=call.confidence,
        related=(*((ends_in,) if handed_on else ()), *others),
        repair=repair,
    )


ModuleCheck: TypeAlias = Callable[[ModuleUses, Registry], Iterator[Report]]
ProjectCheck: TypeAlias = Callable[[ProjectUses, Registry], Iterator[Report]]
RegistryCheck: TypeAlias = Callable[[Registry], Iterator[Report]]


@dataclass(frozen=True, slots=True)
class OfModule:
    """Judges one file at a time; what it says depends on that file's uses alone."""

    check: ModuleCheck


@dataclass(frozen=True, slots=True)
class OfProject:
    """Judges all files together."""

    check: ProjectCheck


@dataclass(frozen=True, slots=True)
class OfRegistry:
    """Judges the registry itself."""

    check: RegistryCheck


@dataclass(frozen=True, slots=True)
class OfTool:
    """Said by the tool while it works (files that cannot be read, allows without a reason), not by a check."""


Scope: TypeAlias = OfModule | OfProject | OfRegistry | OfTool


@dataclass(frozen=True, slots=True)
class Example:
    """Code the rule reports, and the same code put right; `setup` comes before both and is shown once."""

    bad: str
    good: str
    setup: str = "import redis\n\nr = redis.Redis()\n"
    language: Literal["python", "yaml"] = "python"
    by_hand: bool = False
    """No fix makes the good code of the bad one: somebody has to say what was meant."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `doc` is the page text: what, why it hurts, what to do instead, what can be fixed."""

    code: str
    name: str
    since: str
    severity: Severity
    scope: Scope
    doc: str
    examples: tuple[Example, ...]
    default: bool = True
    fix: Fixability = "none"
    whole: bool = False
    """What it says is true of the whole project alone, so that a run on some files leaves it out."""

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.doc.strip().splitlines()[0]

    def finding(self, report: Report, fix: Fix | None = None) -> Finding:
        """The report as a finding of this rule, with the fix that its repair came to; no password is said again."""
        return Finding(
            self.code, self.name, self.severity, masked(report.message), report.path, report.span, report.method,
            report.command, None if report.key is None else masked(report.key), report.use_case, report.confidence,
            report.related, fix, report.function,
        )  # fmt: skip


__all__ = [
    "ERROR",
    "FAMILIES",
    "NOTE",
    "WARNING",
    "Example",
    "OfModule",
    "OfProject",
    "OfRegistry",
    "OfTool",
    "Report",
    "Rule",
    "at",
    "at_lock",
    "at_name",
]
