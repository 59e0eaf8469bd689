"""Fixes go in whole, and those that stay out are named."""

import ast

from redis_guard.finding import Edit, Fix, Span
from redis_guard.fixes.choose import apply_fixes


def fix(title, *edits):
    return Fix(title, "safe", tuple(Edit(Span(*span), text) for *span, text in edits))


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


TEXT = "a = 1\nb = 2\nc = 3\n"


def test_fixes_apart_go_in_together():
    fixes = [fix("c", (3, 5, 3, 6, "30")), fix("a", (1, 5, 1, 6, "10"))]
    applied = apply_fixes(TEXT, fixes)
    assert applied.text == "a = 10\nb = 2\nc = 30\n"
    assert set(applied.done) == set(fixes)
    assert applied.skipped == ()


def test_of_overlapping_fixes_the_outer_one_goes_in_and_the_other_is_named():
    inner, outer = fix("inner", (2, 5, 2, 6, "20")), fix("outer", (2, 1, 3, 6, "d = 4"))
    applied = apply_fixes(TEXT, [inner, outer])
    assert applied.text == "a = 1\nd = 4\n"
    assert applied.done == (outer,)
    assert [(skipped.fix, skipped.why) for skipped in applied.skipped] == [
        (inner, "it overlaps another fix; run again to apply it")
    ]


def test_a_fix_of_several_edits_is_never_half_applied():
    pair, other = fix("pair", (1, 5, 1, 6, "10"), (3, 5, 3, 6, "30")), fix("all", (2, 1, 3, 6, "d = 4"))
    applied = apply_fixes(TEXT, [pair, other])
    assert applied.text == "a = 10\nb = 2\nc = 30\n"
    assert [skipped.fix for skipped in applied.skipped] == [other]


def test_an_import_that_two_fixes_need_is_added_once():
    line = (1, 1, 1, 1, "import x\n")
    applied = apply_fixes(TEXT, [fix("a", line, (1, 5, 1, 6, "x.a")), fix("b", line, (2, 5, 2, 6, "x.b"))])
    assert applied.text == "import x\na = x.a\nb = x.b\nc = 3\n"
    assert len(applied.done) == 2


def test_other_insertions_at_one_place_are_not_mixed():
    first, second = fix("a", (1, 5, 1, 5, "f(")), fix("b", (1, 5, 1, 5, "g("))
    applied = apply_fixes(TEXT, [first, second])
    assert (applied.done, len(applied.skipped)) == ((first,), 1)


def test_a_fix_which_does_not_fit_the_file_is_named():
    wrong = fix("beyond", (9, 1, 9, 2, "x"))
    crossed = fix("crossed", (1, 1, 1, 4, "x"), (1, 2, 1, 3, "y"))
    applied = apply_fixes(TEXT, [wrong, crossed])
    assert applied.text == TEXT
    assert [skipped.why.split(":")[0] for skipped in applied.skipped] == ["it does not fit the file"] * 2


def test_a_fix_that_breaks_the_program_stays_out_and_the_others_go_in():
    good, bad, fine = fix("a", (1, 5, 1, 6, "10")), fix("b", (2, 5, 2, 6, ")")), fix("c", (3, 5, 3, 6, "30"))
    applied = apply_fixes(TEXT, [good, bad, fine], parses)
    assert applied.text == "a = 10\nb = 2\nc = 30\n"
    assert [(skipped.fix, skipped.why) for skipped in applied.skipped] == [
        (bad, "the file would no longer parse")
    ]


def test_nothing_to_do_leaves_the_text():
    assert apply_fixes(TEXT, [], parses).text == TEXT
    assert apply_fixes(TEXT, [fix("no edits")]).done == ()
