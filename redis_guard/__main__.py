"""`python -m redis_guard` is the command line."""

from redis_guard.cli import main

main()
