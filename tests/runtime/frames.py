"""Where one message of the Redis protocol ends and the next begins (RESP2 and RESP3).

Law of this file: bytes are cut, never changed.
"""

from collections.abc import Iterator

PAIRS = b"%|"
PUSHES = {
    b"message", b"pmessage", b"smessage", b"subscribe", b"psubscribe", b"ssubscribe",
    b"unsubscribe", b"punsubscribe", b"sunsubscribe", b"invalidate",
}  # fmt: skip


class Splitter:
    """Give it what was received; it gives whole messages."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, received: bytes) -> Iterator[bytes]:
        self._buffer += received
        while (end := _end(self._buffer, 0)) is not None:
            frame, self._buffer = self._buffer[:end], self._buffer[end:]
            yield frame


def _end(buffer: bytes, start: int) -> int | None:
    line = buffer.find(b"\r\n", start)
    if line < 0:
        return None
    kind, at = buffer[start : start + 1], line + 2
    if kind in b"$!=":
        size = int(buffer[start + 1 : line])
        at += size + 2 if size >= 0 else 0
        return at if at <= len(buffer) else None
    if kind in b"*~>%|":
        count = int(buffer[start + 1 : line]) * (2 if kind in PAIRS else 1)
        # What an attribute is about comes after it.
        for _ in range(count + (kind == b"|")):
            end = _end(buffer, at)
            if end is None:
                return None
            at = end
    return at


def words(frame: bytes) -> tuple[bytes, ...]:
    """The bulk strings of a flat list: a command and its arguments, a pushed message."""
    found, at = [], frame.index(b"\r\n") + 2
    while at < len(frame):
        end = _end(frame, at)
        assert end is not None  # a whole message
        found.append(frame[frame.index(b"\r\n", at) + 2 : end - 2] if frame[at : at + 1] == b"$" else b"")
        at = end
    return tuple(found)


def pushed(frame: bytes) -> bytes:
    """The kind of a message that answers no command (`message`, `subscribe`), empty for an answer."""
    if frame[:1] not in b"*>" or frame[:3] in (b"*0\r", b"*-1"):
        return b""
    said = words(frame)
    kind = said[0] if said else b""
    return kind if frame[:1] == b">" or kind in PUSHES else b""
