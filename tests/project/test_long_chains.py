"""What is long by nature costs time by its length, not by powers of it."""

from tests.project.seen import calls


def test_a_long_line_of_classes_is_one_of_clients() -> None:
    line = "".join(f"class C{n + 1}(C{n}): pass\n" for n in range(600))
    (call,) = calls(f"class C0(redis.Redis): pass\n{line}C600().get('a')\n")
    assert call.method == "get"
