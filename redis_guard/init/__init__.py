"""The use case `init`: what a project needs to start, written from what its code does today.

Law of this package: nothing that exists is overwritten, whatever is written is whole, and each file is named with what
was done to it or why it was left alone.
"""

from redis_guard.init.start import init
from redis_guard.init.steps import InitError, Step

__all__ = ["InitError", "Step", "init"]
