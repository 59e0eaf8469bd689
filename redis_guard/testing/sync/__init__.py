"""Coordination for tests of code with threads."""
