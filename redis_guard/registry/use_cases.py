"""One entry of `use_cases` -> UseCase.

Law of this file: an entry has the fields of its primitive and no other, and whatever makes it weaker
(`open`, `fallback`, `ttl: none`) stands beside a reason.
"""

from typing import Literal, cast, get_args

from redis_guard.registry.durations import format_duration
from redis_guard.registry.fields import Fields
from redis_guard.registry.model import (
    DEFAULT_INSTANCE,
    DEFAULT_REREAD_MS,
    Encoding,
    FailurePolicy,
    Primitive,
    UseCase,
)
from redis_guard.registry.names import OWNER_NAME, name_fault
from redis_guard.registry.settings import Settings
from redis_guard.registry.templates import KeyTemplate, TemplateError
from redis_guard.registry.tree import Scalar, Table

COMMON = (
    *("primitive", "owner", "failure", "description", "reason"),
    *("encoding", "version", "deadline", "instance"),
)
OWN: dict[str, tuple[str, ...]] = {
    "lock": ("ttl", "key", "wait", "renew", "max_hold", "fencing", "reentrant", "replicas"),
    "claim": ("ttl", "key"),
    "counter": ("ttl", "key", "limit"),
    "signal": ("channel", "reread"),
}
LEAST_WORDS = 3

SHORTEST_LEASE_MS = 10
"""Allowances for clocks that drift, and the way to the server, use up a shorter one."""


def read_use_case(name: str, fields: Fields, settings: Settings) -> UseCase | None:
    """The use case, or None when anything is wrong with it."""
    before = len(fields.problems)
    primitive = cast(Primitive | None, fields.choice("primitive", get_args(Primitive)))
    _known_fields(fields, primitive)
    fields.require("primitive", "owner", "failure", "description")
    owner, description = fields.text("owner"), fields.text("description")
    if description and len(description.split()) < LEAST_WORDS:
        message = f'"description" has at least {LEAST_WORDS} words: what is coordinated, and why'
        fields.add(fields.where("description"), "bad-value", message)
    failure, fallback = _failure(fields, primitive)
    ttl_ms, endless = _ttl(fields, primitive)
    reason = fields.text("reason")
    _require_reason(fields, failure, endless)
    key, explicit = _key(name, fields, settings, primitive)
    encoding = fields.choice("encoding", get_args(Encoding)) or ("raw" if explicit else "percent")
    instance = read_instance(fields)
    renew, max_hold_ms = _renewal(fields, ttl_ms)
    limit, replicas = fields.integer("limit", 1), fields.integer("replicas", 0)
    wait_ms, reread_ms = fields.duration("wait", zero=True), fields.duration("reread")
    deadline_ms, version = fields.duration("deadline"), fields.integer("version", 1)
    fencing, reentrant = fields.flag("fencing"), fields.flag("reentrant")
    if len(fields.problems) > before or primitive is None or failure is None or key is None:
        return None
    return UseCase(
        name=name,
        primitive=primitive,
        owner=owner or "",
        description=description or "",
        failure=failure,
        fallback=fallback,
        ttl_ms=ttl_ms,
        reason=reason or "",
        key=key,
        explicit_key=explicit,
        encoding=cast(Encoding, encoding),
        version=version or 1,
        deadline_ms=deadline_ms or settings.deadline_ms,
        instance=instance,
        place=fields.place,
        wait_ms=wait_ms or 0,
        renew=renew,
        max_hold_ms=max_hold_ms,
        fencing=fencing,
        reentrant=reentrant,
        replicas=replicas or 0,
        limit=limit,
        reread_ms=reread_ms or DEFAULT_REREAD_MS,
    )


def read_instance(fields: Fields) -> str:
    """Which Redis the entry lives in."""
    instance = fields.text("instance")
    if instance and (fault := name_fault(instance, OWNER_NAME)):
        fields.add(fields.where("instance"), "bad-value", f'"instance" {fault}')
    return instance or DEFAULT_INSTANCE


def _known_fields(fields: Fields, primitive: Primitive | None) -> None:
    every = {
        field: [kind for kind, own in OWN.items() if field in own] for own in OWN.values() for field in own
    }
    if primitive is None:
        fields.only((*COMMON, *every))
        return
    elsewhere = {
        field: f"is for {' and '.join(kinds)} alone, and this is a {primitive}"
        for field, kinds in every.items()
    }
    if primitive == "signal":
        elsewhere["ttl"] = "is not for a signal: Pub/Sub stores nothing that could expire"
        elsewhere["key"] = 'is not for a signal: it has a "channel"'
    fields.only((*COMMON, *OWN[primitive]), elsewhere)


def _failure(fields: Fields, primitive: Primitive | None) -> tuple[FailurePolicy | None, int | None]:
    node = fields.value("failure")
    if isinstance(node, Table):
        inner = Fields.of(node, f'{fields.subject}: "failure"', node.place, fields.problems)
        inner.only(("fallback",))
        inner.require("fallback")
        if primitive not in ("counter", None):
            inner.add(
                node.place, "bad-value", f"a {primitive} has nothing to fall back on; only a counter has"
            )
        return "fallback", inner.integer("fallback", 0)
    if isinstance(node, Scalar) and node.text == "fallback":
        fields.add(node.place, "bad-value", '"failure" names the count to fall back on: {fallback: 0}')
        return None, None
    return cast(Literal["closed", "open"] | None, fields.choice("failure", ("closed", "open"))), None


def _ttl(fields: Fields, primitive: Primitive | None) -> tuple[int | None, bool]:
    """Milliseconds, and whether it is `none`."""
    if primitive in (None, "signal"):
        return None, False
    fields.require("ttl")
    node = fields.value("ttl")
    if not (isinstance(node, Scalar) and node.tag == "str" and node.text == "none"):
        ttl_ms = fields.duration("ttl")
        if primitive == "lock" and ttl_ms and ttl_ms < SHORTEST_LEASE_MS:
            least = format_duration(SHORTEST_LEASE_MS)
            fields.add(
                fields.where("ttl"), "bad-value", f'a lock\'s "ttl" is at least {least}; less ends on the way'
            )
        return ttl_ms, False
    if primitive == "lock":
        fields.add(node.place, "bad-value", 'a lock must expire: "ttl" cannot be none')
    return None, True


def _require_reason(fields: Fields, failure: FailurePolicy | None, endless: bool) -> None:
    grounds = [("failure", f"failure: {failure}")] if failure in ("open", "fallback") else []
    grounds += [("ttl", "ttl: none")] if endless else []
    if grounds and fields.value("reason") is None:
        texts = " and ".join(text for _, text in grounds)
        fields.add(
            fields.where(grounds[0][0]), "missing-field", f'"reason" is missing: {texts} must be argued for'
        )


def _key(
    name: str, fields: Fields, settings: Settings, primitive: Primitive | None
) -> tuple[KeyTemplate | None, bool]:
    """The key or channel, and whether the file gives it."""
    field, default = (
        ("channel", "{namespace}:{name}") if primitive == "signal" else ("key", "{namespace}:{name}:{id}")
    )
    if fields.value(field) is None:
        version = fields.integer("version", 1) or 1
        versioned = f"{name}@{version}" if version > 1 else name
        return KeyTemplate.parse(default).fill(namespace=settings.namespace, name=versioned), False
    if fields.value("version") is not None:
        fields.add(
            fields.where("version"),
            "bad-value",
            f'"version" is part of the default {field} and cannot stand beside "{field}"',
        )
    text = fields.text(field)
    try:
        return (KeyTemplate.parse(text).fill(namespace=settings.namespace, name=name) if text else None), True
    except TemplateError as error:
        fields.add(fields.where(field), "bad-value", f'"{field}": {error}')
        return None, True


def _renewal(fields: Fields, ttl_ms: int | None) -> tuple[bool, int | None]:
    renew, max_hold_ms = fields.flag("renew"), fields.duration("max_hold")
    if renew and fields.value("max_hold") is None:
        fields.add(
            fields.where("renew"),
            "missing-field",
            '"max_hold" is missing: a renewed lease must end some time',
        )
    if not renew and fields.value("max_hold") is not None:
        fields.add(
            fields.where("max_hold"), "missing-field", '"max_hold" bounds renewal: it needs "renew: true"'
        )
    if renew and max_hold_ms and ttl_ms and max_hold_ms < ttl_ms:
        held, lease = format_duration(max_hold_ms), format_duration(ttl_ms)
        fields.add(
            fields.where("max_hold"), "bad-value", f'"max_hold" {held} is shorter than the ttl {lease}'
        )
    return renew, max_hold_ms
