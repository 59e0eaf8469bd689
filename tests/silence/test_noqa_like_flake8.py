"""The command line honours noqa as the installed flake8 does: both are asked about the same sources."""

import re
import subprocess
import sys

import pytest

from redis_guard.silence.inline import silence_file

PLUGIN = """
import ast

class Plugin:
    def __init__(self, tree):
        self.tree = tree

    def run(self):
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("r."):
                yield node.lineno, node.col_offset, "RG101 a direct call", type(self)
"""

SOURCES = {
    "bare": "r.get(1)  # noqa\nr.get(2)\n",
    "any case of the word": "r.get(1)  # NoQA\nr.get(2)  # NOQA: RG101\n",
    "a code": "r.get(1)  # noqa: RG101\nr.get(2)  # noqa: RG401\n",
    "the case of the code": "r.get(1)  # noqa: rg101\n",
    "a beginning of the code": "r.get(1)  # noqa: RG1\nr.get(2)  # noqa: RG4\n",
    "several codes": "r.get(1)  # noqa: E501,RG101\nr.get(2)  # noqa: E501 RG101\nr.get(3)  # noqa:E501,W1\n",
    "letters alone silence everything": "r.get(1)  # noqa: RG\n",
    "words after it": "r.get(1)  # noqa: RG101 because of this\nr.get(2)  # noqa because of this\n",
    "after another comment": "r.get(1)  # fetch  # noqa: RG101\n",
    "only the first counts": "r.get(1)  # noqa: E501  # noqa: RG101\n",
    "no space after the hash": "r.get(1)  #noqa\n",
    "a space before the colon": "r.get(1)  # noqa : E501\n",
    "every line of a bracket by itself": "f(\n    r.get(1),  # noqa\n    r.get(2),\n)  # noqa\n",
    "the line where the finding starts": "r.get(\n    1,\n)  # noqa\n",
    "a string of several lines": 'f("""\n""", r.get(1))  # noqa\nr.get("""\n""")  # noqa\nr.get(3)\n',
    "backslashes": "x = r.get(1) + \\\n    r.get(2)  # noqa\nr.get(3)\n",
    "a line of its own": "# noqa\nr.get(1)\n",
    "the whole file": "# flake8: noqa\nr.get(1)\n",
    "the whole file, with codes": "# flake8: noqa: E501\nr.get(1)\n",
    "the whole file, indented": "if x:\n    # flake8: NOQA\n    r.get(1)\n",
    "a word for the file on a line of code": "r.get(1)  # flake8: noqa\nr.get(2)\n",
}


@pytest.fixture(scope="module")
def flake8_lines(tmp_path_factory):
    """The lines on which flake8, with a rule that objects to every `r.…()`, reports each source."""
    root = tmp_path_factory.mktemp("flake8")
    (root / "plugin.py").write_text(PLUGIN)
    (root / "flake8.cfg").write_text(
        "[flake8]\nselect = RG\n[flake8:local-plugins]\nextension =\n    RG = plugin:Plugin\npaths = .\n"
    )
    for number, text in enumerate(SOURCES.values()):
        (root / f"source_{number}.py").write_text(text)
    command = [sys.executable, "-m", "flake8", "--config", "flake8.cfg", "-j1", "."]
    output = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert output.stderr == ""
    found = re.findall(r"source_(\d+)\.py:(\d+):\d+: RG101", output.stdout)
    return [[int(line) for number, line in found if int(number) == index] for index in range(len(SOURCES))]


@pytest.mark.parametrize("title", SOURCES)
def test_what_flake8_reports_the_command_line_reports(title, flake8_lines, marks, find, names):
    text = SOURCES[title]
    ours = silence_file("a.py", find(text, path="a.py"), marks(text), names, {"RG101"}, lambda: text)
    open_lines = [found.span.line for found in ours if found.code == "RG101" and not found.suppressed]
    assert sorted(open_lines) == sorted(flake8_lines[list(SOURCES).index(title)])


def test_the_sources_tell_silence_from_speech(flake8_lines):
    assert any(flake8_lines)
    assert not all(flake8_lines)
