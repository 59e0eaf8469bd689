"""Chance, where many would otherwise march in step.

Law of this file: a factor has the mean 1, so that what it spreads keeps its length on average.
"""

import random


def jitter() -> float:
    """For pauses of waiters and renewals of leases."""
    return random.uniform(0.85, 1.15)


def wide_jitter() -> float:
    """For opening lost connections anew: all processes have lost theirs at the same moment."""
    return random.uniform(0.5, 1.5)
