"""What the runtime costs, against the bare commands and against redis-py's own lock, on a server of its own."""
