"""Text from elsewhere -> text of a page.

Law of this file: everything that was not written in this package goes through here.
"""

from html import escape

from redis_guard.report.printable import one_line


def text(written: object) -> str:
    """One line in which nothing is markup, in an attribute neither, and no character hides another."""
    return escape(one_line(str(written)), quote=True)
