"""A block whose body comes out of it.

Law of this file: what stands in the body stands there afterwards, one level further out; a text that goes on over
lines keeps its white space.
"""

import ast

from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page


def dedented(page: Page, block: ast.With | ast.AsyncWith | ast.If, first: ast.stmt) -> None:
    """Take out the head and what stands before `first`; the rest moves out. Raises Refused."""
    program, lines = page.program, page.program.lines
    outer, inner = program.indent(block), program.indent(first)
    if not inner.startswith(outer) or block.body[0].lineno == block.lineno:
        raise Refused(f"what line {block.lineno} opens is written on one line")
    start = lines.starts[block.lineno - 1]
    begin_line = first.lineno
    if first is block.body[0]:
        colon = program.tokens_between(program.start(block), program.start(first))[-1]
        begin_line = program.place(colon.start)[0] + 1
    stop = lines.starts[begin_line - 1]
    if any(start <= comment.start < stop for comment in program.comments):
        raise Refused(f"a comment stands in what goes (line {block.lineno})")
    page.draft.replace(start, stop, "")
    last = block.body[-1].end_lineno or block.lineno
    texts = [
        range(node.lineno, node.end_lineno or node.lineno)
        for each in block.body
        for node in ast.walk(each)
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno
    ]
    for number in range(begin_line, last + 1):
        if any(number - 1 in stretch for stretch in texts):
            continue
        if lines.line(number).startswith(inner):
            begin = lines.starts[number - 1]
            page.draft.replace(begin + len(outer), begin + len(inner), "")
