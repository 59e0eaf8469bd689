"""Which lines an allow speaks for."""

import pytest

from redis_guard.silence.scope import covered

CASES = {
    "the end of a line speaks for its simple statement": ("a()\nb()  # A\nc()\n", [2]),
    "and for all lines of one that spans several": ("a()\nb(\n    x,  # A\n    y,\n)\nc()\n", [2, 3, 4, 5]),
    "wherever in it the comment stands": ("b(\n    x,\n)  # A\n", [1, 2, 3]),
    "and for both statements of one line": ("a(); b(\n    x)  # A\n", [1, 2]),
    "on a compound statement it speaks for the header alone": ("with a() as x:  # A\n    b()\n", [1]),
    "a header of several lines counts as one": ("with a(\n    x\n) as x:  # A\n    b()\n", [1, 2, 3]),
    "on a def it leaves the body alone": ("def f(\n    x=a(),\n):  # A\n    b()\n", [1, 2, 3]),
    "on a decorator it speaks for that line": ("@a()  # A\ndef f():\n    b()\n", [1]),
    "on an else it speaks for that line": ("if x:\n    a()\nelse:  # A\n    b()\n", [3]),
    "a string of several lines belongs to its line": ('x = """\n\n"""; b()  # A\n', [1, 2, 3]),
    "above a statement it speaks for all of it": ("# A\nb(\n    x,\n)\nc()\n", [2, 3, 4]),
    "above a def it speaks for the body too": ("# A\ndef f():\n    b()\n\n    c()\nd()\n", [2, 3, 4, 5]),
    "and for the decorators": ("# A\n@d\ndef f():\n    b()\n", [2, 3, 4]),
    "between decorators it speaks for the same": ("@d\n# A\n@e\ndef f():\n    b()\n", [1, 2, 3, 4, 5]),
    "above a class it speaks for every method": ("# A\nclass C:\n    def f(self):\n        b()\n", [2, 3, 4]),
    "above an if it speaks for its else": ("# A\nif x:\n    a()\nelse:\n    b()\nc()\n", [2, 3, 4, 5]),
    "above an else it speaks for that branch": ("if x:\n    a()\n# A\nelse:\n    b()\nc()\n", [4, 5]),
    "above an except it speaks for the handler": ("try:\n    a()\n# A\nexcept E:\n    b()\n", [4, 5]),
    "other comments and blank lines may stand between": ("# A\n# why\n\nb()\n", [4]),
    "inside brackets it speaks for the statement": ("b(\n    # A\n    x,\n)\n", [1, 2, 3, 4]),
    "indented deeper than what follows it speaks for nothing": ("if x:\n    a()\n    # A\nb()\n", []),
    "indented less than what follows it speaks for nothing": ("if x:\n# A\n    a()\n", []),
    "with nothing below it speaks for nothing": ("a()\n# A\n", []),
}


@pytest.mark.parametrize(("text", "lines"), CASES.values(), ids=CASES)
def test_lines_of_an_allow(text, lines, marks):
    read = marks(text)
    comment = next(comment for comment in read.comments if comment.text == "# A")
    assert list(covered(comment, read.blocks)) == lines
