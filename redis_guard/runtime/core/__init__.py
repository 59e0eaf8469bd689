"""The primitives, without I/O: what to send, what an answer means, how long it holds."""
