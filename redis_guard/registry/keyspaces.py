"""One entry of `keyspaces` -> Keyspace.

Law of this file: a family of keys says how long its keys live, or why they never die.
"""

from typing import Literal, cast, get_args

from redis_guard.registry.durations import DurationError, DurationRange, parse_range
from redis_guard.registry.fields import Fields, described
from redis_guard.registry.model import KeyClass, Keyspace
from redis_guard.registry.templates import KeyTemplate, TemplateError
from redis_guard.registry.tree import Scalar
from redis_guard.registry.use_cases import read_instance

FIELDS = ("class", "owner", "description", "ttl", "type", "jitter", "reason", "instance")
VALUE_TYPES = (
    *("string", "hash", "list", "set", "zset", "stream", "vectorset"),
    *("json", "timeseries", "bloom", "cuckoo", "cms", "topk", "tdigest"),
)

KeyspaceTtl = DurationRange | Literal["required", "none"]


def read_keyspace(key: str, fields: Fields) -> Keyspace | None:
    """The keyspace, or None when anything is wrong with it."""
    before = len(fields.problems)
    fields.only(FIELDS)
    fields.require("class", "owner", "description", "ttl")
    template = _template(key, fields)
    key_class = cast(KeyClass | None, fields.choice("class", get_args(KeyClass)))
    ttl = _ttl(fields)
    owner, description, reason = fields.text("owner"), fields.text("description"), fields.text("reason")
    value_type, jitter_ms = fields.choice("type", VALUE_TYPES), fields.duration("jitter")
    instance = read_instance(fields)
    if ttl == "none" and fields.value("reason") is None:
        fields.add(fields.where("ttl"), "missing-field", '"reason" is missing: ttl: none must be argued for')
    if ttl == "none" and fields.value("jitter") is not None:
        fields.add(fields.where("jitter"), "bad-value", '"jitter" spreads a lifetime, and there is none')
    if len(fields.problems) > before or template is None or key_class is None or ttl is None:
        return None
    return Keyspace(
        key=template,
        key_class=key_class,
        owner=owner or "",
        description=description or "",
        ttl=ttl,
        reason=reason or "",
        type=value_type,
        jitter_ms=jitter_ms,
        instance=instance,
        place=fields.place,
    )


def _template(key: str, fields: Fields) -> KeyTemplate | None:
    try:
        return KeyTemplate.parse(key)
    except TemplateError as error:
        fields.add(fields.place, "bad-value", str(error))
        return None


def _ttl(fields: Fields) -> KeyspaceTtl | None:
    node = fields.value("ttl")
    if node is None:
        return None
    if not isinstance(node, Scalar) or node.tag not in ("str", "int"):
        message = f'"ttl" must be a duration, a range, required or none, not {described(node)}'
        fields.add(node.place, "wrong-type", message)
        return None
    if node.text == "required":
        return "required"
    if node.text == "none":
        return "none"
    try:
        ttl = parse_range(node.text)
    except DurationError as error:
        fields.add(
            node.place, "bad-value", f'"ttl": {error}; it may also be a range 10m..1h, required or none'
        )
        return None
    if ttl.shortest_ms == 0:
        fields.add(node.place, "bad-value", '"ttl" must be longer than zero')
        return None
    return ttl
