"""The runtime for threads."""
