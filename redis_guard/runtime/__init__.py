"""Coordination through Redis: lock, claim, counter and signal, each by its registered use case."""
