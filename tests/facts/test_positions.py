"""Positions borrowed from ast are those of libcst's own provider."""

import sysconfig
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from redis_guard.facts import positions as module
from redis_guard.facts.depth import parsed
from redis_guard.facts.positions import positions

STDLIB = Path(sysconfig.get_path("stdlib"))
FILES = ("argparse.py", "dataclasses.py", "asyncio/streams.py", "json/decoder.py", "test/test_dict.py")


def kinds(root: cst.CSTNode) -> list[cst.CSTNode]:
    wanted = (cst.Call, cst.Subscript, cst.Comparison)
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if isinstance(node, wanted):
            found.append(node)
        stack.extend(node.children)
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_call_subscript_and_comparison_of_real_files_begins_where_the_provider_says(name: str) -> None:
    path = STDLIB / name
    if not path.exists():
        pytest.skip(f"this Python comes without {name}")
    text = path.read_text(encoding="utf-8")
    tree = cst.parse_module(text)
    wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
    theirs = wrapper.resolve(PositionProvider)
    ours = positions(tree, parsed(text), text)
    for node in kinds(wrapper.module):
        line, column, *_ = ours[id(node)]
        if not getattr(node, "lpar", ()):  # the provider leaves a node's own parentheses out
            assert (line, column) == (theirs[node].start.line, theirs[node].start.column + 1)


def test_columns_count_characters() -> None:
    text = "é = 'ü'; x = f(1)\n"
    tree = cst.parse_module(text)
    assert (1, 14, 1, 18) in positions(tree, parsed(text), text).values()


def test_a_file_that_ast_refuses_gets_its_positions_from_the_provider() -> None:
    text = "x = f(1)\n"
    tree = cst.parse_module(text)
    assert (1, 5, 1, 9) in positions(tree, None, text).values()


def test_trees_that_do_not_match_are_not_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    original = module._from_provider
    monkeypatch.setattr(module, "_from_provider", lambda tree: asked.append(tree) or original(tree))
    tree = cst.parse_module("x = f(1)\n")
    positions(tree, parsed("x = f(g(1))\n"), "x = f(g(1))\n")
    assert asked == [tree]


@pytest.mark.parametrize(
    "line",
    [
        "f(*a, x=1, *b, **c)",
        "a if b(1) else c(2)",
        "{k(1): v(2), **m(3)}",
        "[x(1) for y in z(2) if w(3)]",
        "lambda a=b(1): c(2)",
        "f'{a(1)}{b(2):{c(3)}}'",
        "a(1)[b(2):c(3)]",
        "a(1) < b(2) < c(3)",
        "x = y = z(1)",
    ],
)
def test_arguments_of_calls_stand_where_they_are_written(line: str) -> None:
    tree = cst.parse_module(line + "\n")
    ours = positions(tree, parsed(line + "\n"), line + "\n")
    for node in kinds(tree):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
            row, column, end_row, end = ours[id(node)]
            assert (row, end_row) == (1, 1)
            assert line[column - 1 : end - 1].startswith(node.func.value + "(")
