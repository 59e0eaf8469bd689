"""What a client sends, cut into commands.

Law of this file: bytes are counted, never interpreted; a cut falls only between two commands.
"""

Command = tuple[bytes, ...]
"""The name and its arguments, as they went over the wire."""


class Cutter:
    """Takes the stream of one connection in any pieces and gives it back cut at the ends of commands."""

    def __init__(self) -> None:
        self._unfinished = bytearray()

    def feed(self, data: bytes) -> list[tuple[bytes, Command | None]]:
        """The pieces of `data` in order, each with the command that it completes; the last may complete none."""
        before = len(self._unfinished)
        self._unfinished += data
        stream, pieces, start = bytes(self._unfinished), [], 0
        while (found := _command(stream, start)) is not None:
            command, end = found
            pieces.append((stream[max(start, before) : end], command))
            start = end
        if rest := stream[max(start, before) :]:
            pieces.append((rest, None))
        del self._unfinished[:start]
        return pieces


def _command(stream: bytes, start: int) -> tuple[Command, int] | None:
    """The command that begins at `start` and where it ends; None if more is to come."""
    header = _line(stream, start)
    if header is None:
        return None
    count, position = header
    words = []
    for _ in range(count):
        header = _line(stream, position)
        if header is None or len(stream) < header[1] + header[0] + 2:
            return None
        length, position = header
        words.append(stream[position : position + length])
        position += length + 2
    return tuple(words), position


def _line(stream: bytes, start: int) -> tuple[int, int] | None:
    """The number in a line like `*3` or `$5`, and where the next line begins."""
    end = stream.find(b"\r\n", start)
    return None if end < 0 else (int(stream[start + 1 : end]), end + 2)
