"""The one base of errors that are the user's to mend, so that every door can show them without knowing each.

Law of this file: no import; `str()` of a mistake is clear lines, each with a place and what to do.
"""


class Mistake(Exception):
    """Bad configuration, registry, baseline, path or selector: exit status 2, no traceback."""
