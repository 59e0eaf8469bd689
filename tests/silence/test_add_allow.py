"""`--add-allow` writes comments that silence what was found, and changes nothing else."""

import argparse
import ast
import contextlib
import dis
import textwrap
import typing
from pathlib import Path

import pytest

from redis_guard.fixes.edits import apply_edits
from redis_guard.silence.add_allow import add_allows
from redis_guard.silence.inline import FileMarks, silence_file

REASON = "warmed at start"


@pytest.fixture
def rounds(marks, names):
    """Silences, adds allows, and returns the new source with what is left of the findings after it."""

    def run(text, find, reason=REASON):
        def silenced(source):
            read = marks(source)
            found = silence_file("app/limits.py", find(source), read, names, set(names), lambda: source)
            return list(found), read

        findings, read = silenced(text)
        additions = add_allows(findings, text, read, reason, names)
        after = apply_edits(text, additions.edits)
        left, read = silenced(after)
        assert add_allows(left, after, read, reason, names).edits == (), "a second run adds nothing"
        return after, left, additions

    return run


LONG = "x" * 90
PLACES = {
    "at the end of the line": (
        "r.get(1)\n",
        "r.get(1)  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "behind another comment": (
        "r.get(1)  # type: ignore\n",
        "r.get(1)  # type: ignore  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "without the blanks that ended the line": (
        "r.get(1) \t\n",
        "r.get(1)  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "on the last line without line ending": (
        "r.get(1)",
        "r.get(1)  # redis-guard: allow[RG101] warmed at start",
    ),
    "once for a statement": (
        "f(\n    r.get(1),\n    r.get(2),\n)\n",
        "f(\n    r.get(1),  # redis-guard: allow[RG101] warmed at start\n    r.get(2),\n)\n",
    ),
    "once for two statements on a line": (
        "r.get(1); r.get(2)\n",
        "r.get(1); r.get(2)  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "above a line that would become too long": (
        f"if x:\n    r.get('{LONG}')\n",
        f"if x:\n    # redis-guard: allow[RG101] warmed at start\n    r.get('{LONG}')\n",
    ),
    "above a statement with a string of several lines": (
        'if x:\n\tr.get("""\n""")\n',
        'if x:\n\t# redis-guard: allow[RG101] warmed at start\n\tr.get("""\n""")\n',
    ),
    "above a statement with a backslash": (
        "y = r.get(1) + \\\n    2\n",
        "# redis-guard: allow[RG101] warmed at start\ny = r.get(1) + \\\n    2\n",
    ),
    "at the end when it cannot stand above": (
        'x = """\n"""; r.get(1)\n',
        'x = """\n"""; r.get(1)  # redis-guard: allow[RG101] warmed at start\n',
    ),
    "on a header, never above it, as that would silence the body": (
        f"with f(\n    r.get('{LONG}')\n):\n    r.get(2)  # noqa\n",
        "with f(  # redis-guard: allow[RG101] warmed at start\n"
        f"    r.get('{LONG}')\n):\n    r.get(2)  # noqa\n",
    ),
    "on a header of one line however long": (
        f"if r.get('{LONG}'):\n    r.get(2)  # noqa\n",
        f"if r.get('{LONG}'):  # redis-guard: allow[RG101] warmed at start\n    r.get(2)  # noqa\n",
    ),
    "not above the branch of an if with another branch": (
        f"if x: r.get('{LONG}')\nelse: r.get(2)  # noqa\n",
        f"if x: r.get('{LONG}')  # redis-guard: allow[RG101] warmed at start\nelse: r.get(2)  # noqa\n",
    ),
    "on a decorator": (
        "@r.get(1)\ndef f():\n    r.get(2)  # noqa\n",
        "@r.get(1)  # redis-guard: allow[RG101] warmed at start\ndef f():\n    r.get(2)  # noqa\n",
    ),
    "in an allow on a decorator": (
        "@r.get(1)  # redis-guard: allow[RG401] kept on purpose\ndef f(): f()\n",
        "@r.get(1)  # redis-guard: allow[RG401, RG101] kept on purpose\ndef f(): f()\n",
    ),
    "with windows line endings": (
        f"f()\r\nr.get('{LONG}')\r\nr.get(2)\r\n",
        f"f()\r\n# redis-guard: allow[RG101] warmed at start\r\nr.get('{LONG}')\r\n"
        "r.get(2)  # redis-guard: allow[RG101] warmed at start\r\n",
    ),
    "with old line endings": (
        f"f()\rr.get('{LONG}')\r",
        f"f()\r# redis-guard: allow[RG101] warmed at start\rr.get('{LONG}')\r",
    ),
    "beside wide characters": (
        "r.get('鍵')\n",
        "r.get('鍵')  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "by naming the rule in an allow of the same statement": (
        "r.get(1)  # redis-guard: allow[RG401] kept on purpose  # noqa: E501\n",
        "r.get(1)  # redis-guard: allow[RG401, RG101] kept on purpose  # noqa: E501\n",
    ),
    "by naming the rule in an allow above the statement": (
        "# redis-guard: allow[RG401] kept on purpose\nr.get(1)\n",
        "# redis-guard: allow[RG401, RG101] kept on purpose\nr.get(1)\n",
    ),
    "by giving an allow the reason it lacks": (
        "r.get(1)  # redis-guard: allow[RG101]\n",
        "r.get(1)  # redis-guard: allow[RG101] warmed at start\n",
    ),
    "by completing a reason that is too short": (
        "r.get(1)  # redis-guard: allow[RG401] legacy\n",
        "r.get(1)  # redis-guard: allow[RG401, RG101] legacy warmed at start\n",
    ),
    "not in an allow that speaks for more": (
        "# redis-guard: allow[RG401] kept on purpose\ndef f():\n    r.get(1)\n",
        "# redis-guard: allow[RG401] kept on purpose\ndef f():\n"
        "    r.get(1)  # redis-guard: allow[RG101] warmed at start\n",
    ),
}


@pytest.mark.parametrize("title", PLACES)
def test_an_allow_is_written(title, rounds, find):
    before, after = PLACES[title]
    result, left, _ = rounds(before, find)
    assert result == after
    assert [found for found in left if found.code == "RG101" and not found.suppressed] == []


def test_what_is_silenced_already_gets_nothing(rounds, find):
    text = "r.get(1)  # noqa\n# redis-guard: allow[RG1] warmed at start\nr.get(2)\n"
    assert rounds(text, find)[0] == text


def test_several_rules_on_one_statement_share_a_comment(rounds, find):
    def both(source):
        return [*find(source, "RG401"), *find(source, "RG101")]

    after, _, _ = rounds("r.set(1)\n", both)
    assert after == "r.set(1)  # redis-guard: allow[RG101, RG401] warmed at start\n"


def test_a_finding_about_an_allow_is_never_allowed(rounds, find):
    _, left, additions = rounds("f()  # redis-guard: alow\n", find)
    assert [found.code for found in additions.unplaced] == ["RG003"]
    assert [found.code for found in left] == ["RG003"]


def test_where_no_comment_would_be_narrow_enough_none_is_written(rounds, find):
    text = '@d(r.get("""\n"""))\ndef f():\n    f()\n'
    after, left, additions = rounds(text, find)
    assert after == text
    assert [*additions.unplaced] == left


def test_an_f_string_of_several_lines_is_left_whole(rounds, find):
    after, left, _ = rounds('y = f"""{\nr.get(1)}\n"""\n', find)
    assert after == '# redis-guard: allow[RG101] warmed at start\ny = f"""{\nr.get(1)}\n"""\n'
    assert [found.suppressed for found in left] == ["allow"]


def test_a_source_that_cannot_be_read_is_left_alone(marks, find, names):
    findings = find("r.get(1)\n")
    additions = add_allows(findings, "r.get(1)\nx = '''\n", marks("r.get(1)\n"), REASON, names)
    assert (additions.edits, additions.unplaced) == ((), tuple(findings))


def test_a_finding_beyond_the_end_of_the_source_is_left_alone(marks, find, names):
    findings = find("f()\n\nr.get(1)\n")
    additions = add_allows(findings, "f()\n", marks("f()\n"), REASON, names)
    assert (additions.edits, additions.unplaced) == ((), tuple(findings))


@pytest.mark.parametrize("reason", ["", "too short", "   ", "a b"])
def test_a_reason_of_fewer_than_three_words_is_refused(reason, names):
    with pytest.raises(ValueError, match="three words"):
        add_allows([], "", FileMarks(), reason, names)


@pytest.mark.parametrize(
    "reason", ["one two three  # noqa: E501", "one two three # redis-guard: allow[RG1] x"]
)
def test_a_reason_that_would_be_read_as_something_else_is_refused(reason, names):
    with pytest.raises(ValueError, match="another tool"):
        add_allows([], "", FileMarks(), reason, names)


def test_a_reason_is_put_on_one_line(rounds, find):
    after, _, _ = rounds("r.get(1)\n", find, reason=" - until the\n  migration ends. ")
    assert after == "r.get(1)  # redis-guard: allow[RG101] until the migration ends.\n"


@pytest.mark.parametrize("module", [argparse, contextlib, dis, textwrap, typing], ids=lambda m: m.__name__)
def test_every_call_of_a_real_module_can_be_allowed_without_changing_the_program(module, rounds, find):
    text = Path(module.__file__).read_text(encoding="utf-8")
    after, left, additions = rounds(text, lambda source: find(source, needle=""))
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    assert additions.unplaced == ()
    assert {found.suppressed for found in left} == {"allow"}
