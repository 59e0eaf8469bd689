"""Calls of scripts as the bytes that go to the server.

Law of this file: it writes arrays of bulk strings and nothing else (RESP, as every Redis reads it); on the hot path, so
that what does not change is written once.
"""

from functools import cache

from redis_guard.runtime.steps import Argument, Send


def by_hash(send: Send, not_after: int) -> bytes:
    """EVALSHA."""
    return _request(_beginning(send.script.sha, len(send.keys), len(send.args)), send, not_after)


def in_full(send: Send, not_after: int) -> bytes:
    """EVAL."""
    keys, source = len(send.keys), send.script.source
    beginning = b"*%d\r\n%b%b%b" % (4 + keys + len(send.args), _bulk(b"EVAL"), _bulk(source), _bulk(keys))
    return _request(beginning, send, not_after)


def wait_request(replicas: int, milliseconds: int) -> bytes:
    """WAIT."""
    return b"*3\r\n%b%b%b" % (_bulk(b"WAIT"), _bulk(replicas), _bulk(milliseconds))


def _request(beginning: bytes, send: Send, not_after: int) -> bytes:
    pieces = [beginning]
    pieces += [b"$%d\r\n%b\r\n" % (len(key), key) for key in send.keys]
    pieces.append(_bulk(not_after))
    pieces += map(_bulk, send.args)
    return b"".join(pieces)


@cache
def _beginning(sha: bytes, keys: int, args: int) -> bytes:
    return b"*%d\r\n%b%b%b" % (4 + keys + args, _bulk(b"EVALSHA"), _bulk(sha), _bulk(keys))


def _bulk(value: Argument) -> bytes:
    if type(value) is not bytes:
        value = str(value).encode()
    return b"$%d\r\n%b\r\n" % (len(value), value)
