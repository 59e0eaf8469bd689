"""Helper keys: what the runtime keeps beside a key K, such as its fence, and how they lead back to K.

Law of this file: a helper is hashed to the slot of its key, so that one script may touch both on a cluster.
"""

from typing import Literal, get_args

from redis_guard.registry.templates import KeyTemplate

HelperSuffix = Literal["fence", "wake"]
SUFFIXES: tuple[HelperSuffix, ...] = get_args(HelperSuffix)

SAMPLE = "x"
"""An identifier that is as good as any other without braces."""


class HelperKeyError(ValueError):
    """No helper of this key can share its slot; the message says what to do."""


def helper_key(key: bytes, suffix: HelperSuffix) -> bytes:
    """`{K}:suffix`, or `K:suffix` where K has a hash tag of its own.

    Raises `HelperKeyError` for a key with a `}` and no tag: the whole of it is hashed, and a tag cannot hold it.
    """
    if hash_tag(key):
        return b"%b:%b" % (key, suffix.encode())
    if b"}" in key:
        shown = key[:60].decode("utf-8", "replace")
        raise HelperKeyError(
            f'the key "{shown}" has a "}}" that closes no hash tag, so no helper key can share its slot;'
            ' use "encoding: percent", or put a tag into the key'
        )
    return b"{%b}:%b" % (key, suffix.encode())


def helper_template(key: KeyTemplate, suffix: HelperSuffix) -> KeyTemplate | None:
    """The template of the helpers of `key`, whose identifiers have no braces; None where there can be no helper."""
    sample = key.format(*(SAMPLE for _ in key.placeholders)).encode()
    try:
        wrapped = not helper_key(sample, suffix).startswith(sample)
    except HelperKeyError:
        return None
    before, after = ("{", "}") if wrapped else ("", "")
    return KeyTemplate.of((before, *key.parts, f"{after}:{suffix}"))


def plain_key(key: bytes) -> bytes:
    """The key that `key` is a helper of; `key` itself where it is none.

    Of the two keys `k` and `{k}`, whose helpers have one name, it is `k`. A key that the registry declares as it is
    should be looked up first: nothing but its end tells a helper.
    """
    owner, colon, suffix = key.rpartition(b":")
    if not colon or suffix.decode("utf-8", "replace") not in SUFFIXES:
        return key
    tag = hash_tag(owner)
    if tag and owner == b"{%b}" % tag:
        return tag
    return owner if tag else key


def hash_tag(key: bytes) -> bytes:
    """What a cluster hashes of `key`, where that is not all of it; else nothing.

    Source: Redis Cluster specification, "Hash tags": between the first `{` and the first `}` after it, if not empty.
    """
    _, brace, rest = key.partition(b"{")
    tag, end, _ = rest.partition(b"}")
    return tag if brace and end else b""
