"""Streams of commands, cut wherever the client happened to."""

from hypothesis import given
from hypothesis import strategies as st

from tests.proof.wire import Command, Cutter

COMMANDS = st.lists(st.lists(st.binary(max_size=9), min_size=1, max_size=4).map(tuple), max_size=5)


def packed(command: Command) -> bytes:
    words = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in command)
    return b"*%d\r\n%s" % (len(command), words)


@given(COMMANDS, st.lists(st.integers(1, 30), max_size=9))
def test_a_stream_is_cut_at_the_ends_of_commands_and_nowhere_else(
    commands: list[Command], sizes: list[int]
) -> None:
    stream = b"".join(map(packed, commands))
    pieces, rest = [], stream
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    cutter = Cutter()
    got = [cut for piece in (*pieces, rest) for cut in cutter.feed(piece)]

    assert b"".join(piece for piece, _ in got) == stream
    assert [command for _, command in got if command is not None] == commands
    sent = b""
    for piece, command in got:
        sent += piece
        if command is not None:
            assert sent.endswith(packed(command))
