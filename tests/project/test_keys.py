"""Keys as templates, and when two of them are the same."""

import pytest

from redis_guard.project.keys import Hole, Key
from tests.project.seen import calls, template


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("'a:b'", "a:b"),
        ("b'a:b'", "a:b"),
        ("'a:' 'b'", "a:b"),
        ("f'user:{n}'", "user:{n}"),
        ("f'user:{n.id}:x'", "user:{id}:x"),
        ("f'user:{n!r:>8}'", "user:{n}"),
        (r"""f'a\tb:"q" {n}'""", 'a\tb:"q" {n}'),
        (r"""f'a\'b\"c\\{n}'""", "a'b\"c\\{n}"),
        ("'user:' + n", "user:{n}"),
        ("PREFIX + n", "user:{n}"),
        ("Keys.PREFIX + n", "order:{n}"),
        ("'user:%s' % n", "user:{n}"),
        ("'user:%s:%d%%' % (n, m)", "user:{n}:{m}%"),
        ("'user:%(who)s' % {'who': n}", "user:{n}"),
        ("'user:%s' % who()", "user:{who}"),
        ("OLD % (n, m)", "old:{n}:{m}"),
        ("Keys.OLD % n", "older:{n}"),
        ("STEP % 4", "{step}"),
        ("'user:{}'.format(n)", "user:{n}"),
        ("'user:{1}:{0}'.format(n, m)", "user:{m}:{n}"),
        ("'user:{who}:{{x}}'.format(who=n)", "user:{n}:{{x}}"),
        ("PATTERN.format(n)", "cart:{n}"),
        ("':'.join(['user', n, 'x'])", "user:{n}:x"),
        ("':'.join(m)", "{join}"),
        ("'user:' + str(n)", "user:{n}"),
        ("f'user:{n}'.encode()", "user:{n}"),
        ("'user:' + str(n + 1)", "user:{value}"),
        ("f'user:{n + 1}'", "user:{value}"),
        ("key_of(n)", "helped:{n}"),
        ("n", "{n}"),
        ("rows[n]", "{rows}"),
    ],
)
def test_templates_of_expressions(key, expected):
    source = f"""
    PREFIX = "user:"
    PATTERN = "cart:{{}}"
    OLD = "old:%d:%s"
    STEP = 7

    class Keys:
        PREFIX = "order:"
        OLD = "older:%s"

    def key_of(name):
        return f"helped:{{name}}"

    def f(n, m, who, rows):
        r.get({key})
    """
    assert template(source) == expected


def test_a_variable_is_followed_to_its_text():
    assert template("def f(n):\n    key = f'user:{n}'\n    r.get(key)") == "user:{n}"


def test_a_variable_with_two_bindings_is_a_hole():
    assert template("def f(n):\n    key = 'a'\n    if n:\n        key = 'b'\n    r.get(key)") == "{key}"


def test_a_prefix_of_another_file_is_followed():
    assert (
        template("from conf import PREFIX\ndef f(n): r.get(PREFIX + n)", conf="PREFIX = 'user:'")
        == "user:{n}"
    )


def test_a_prefix_kept_by_the_object_is_followed():
    source = """
    class Store:
        def __init__(self):
            self.prefix = "user:"

        def get(self, n):
            r.get(self.prefix + n)
    """
    assert template(source) == "user:{n}"


def test_a_helper_method_is_followed():
    source = """
    class Store:
        def key(self, name):
            return "user:" + name

        def get(self, n):
            r.get(self.key(n))
    """
    assert template(source) == "user:{n}"


def same(first: str, second: str, between: str = "pass") -> bool:
    source = f"""
    import uuid

    def key_of(name):
        return f"user:{{name}}"

    def f(n, m, obj):
        r.get({first})
        {between}
        r.get({second})
    """
    one, other = (call.key for call in calls(source))
    return one == other


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f'user:{n}'", "'user:' + n"),
        ("f'user:{n}'", "'user:%s' % n"),
        ("f'user:{n}'", "key_of(n)"),
        ("key_of(n)", "key_of(n)"),
        ("f'user:{n.id}'", "'user:{}'.format(n.id)"),
        ("n", "n"),
        ("obj.key", "obj.key"),
        ("obj.key_for(n)", "obj.key_for(n)"),
        ("obj['a']", "obj['a']"),
    ],
)
def test_keys_that_are_the_same(first, second):
    assert same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f'user:{n}'", "f'user:{m}'"),
        ("f'user:{n}'", "f'order:{n}'"),
        ("n", "m"),
        ("str(uuid.uuid4())", "str(uuid.uuid4())"),
        ("obj.next_key()", "obj.next_key()"),
        ("obj.key_for(n)", "obj.key_for(m)"),
        ("'%s' % obj", "'%d:' % obj"),
    ],
)
def test_keys_that_may_differ(first, second):
    assert not same(first, second)


def test_a_variable_that_is_bound_again_is_another():
    assert same("f'user:{n}'", "f'user:{n}'")
    assert not same("f'user:{n}'", "f'user:{n}'", between="n = m")


def test_a_key_named_after_a_counter_is_no_draw():
    assert same("obj.counter_key(n)", "obj.counter_key(n)")
    assert not same("obj.random_key(n)", "obj.random_key(n)")


def test_literals_next_to_each_other_are_one():
    (call,) = calls("r.get('a:' + 'b:' + 'c')")
    assert call.key == Key(("a:b:c",))
    assert call.key.constant == "a:b:c"


def test_a_key_with_a_hole_has_no_constant():
    key = Key(("user:", Hole("n", "n")))
    assert key.constant is None
    assert key.literal == "user:"
    assert key.template == "user:{n}"


def test_braces_of_the_text_are_doubled_in_the_template():
    assert Key(("{tag}:", Hole("n", "n"))).template == "{{tag}}:{n}"


def test_alike_is_one_shape_with_text_of_its_own():
    user = Key(("user:", Hole("1", "n")))
    assert user.alike(Key(("user:", Hole("2", "m"))))
    assert not user.alike(Key(("order:", Hole("1", "n"))))
    assert not Key((Hole("1", "n"),)).alike(Key((Hole("2", "m"),)))
    assert not Key(("a:", Hole("1", "n"))).alike(Key(("a:", Hole("2", "m"))))


@pytest.mark.parametrize(
    ("pieces", "slot"),
    [
        (("{a}:x",), "a"),
        (("x:{", Hole("n", "n"), "}:y"), "\1n\2"),
        (("x",), None),
        (("{}x",), None),
        (("}{",), None),
    ],
)
def test_the_hash_tag_decides_the_slot(pieces, slot):
    assert Key(pieces).slot == slot


def test_a_helper_that_calls_itself_ends():
    assert template("def key(n): return 'a:' + key(n)\ndef f(n): r.get(key(n))").startswith("a:")


def test_a_property_is_followed():
    source = """
        class Jobs:
            def __init__(self, name):
                self.name = name
            @property
            def key(self):
                return f"jobs:{self.name}"
            def save(self):
                r.set(self.key, 1)
    """
    assert template(source) == "jobs:{name}"


def test_the_properties_of_two_objects_are_two_keys():
    source = """
        class Job:
            def __init__(self, name):
                self.name = name
            @property
            def key(self):
                return f"job:{self.name}"
        one, other = Job("a"), Job("b")
        r.set(one.key, 1)
        r.set(other.key, 1)
        r.expire(one.key, 9)
    """
    first, second, third = (call.key for call in calls(source))
    assert first == third != second


def test_a_property_that_a_subclass_replaces_is_a_hole():
    source = """
        class Jobs:
            @property
            def key(self):
                return "jobs:all"
            def save(self):
                r.set(self.key, 1)
        class Others(Jobs):
            @property
            def key(self):
                return "jobs:others"
    """
    assert template(source) == "{key}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NAMESPACE = os.environ.get('NS', 'app')\nr.get(NAMESPACE + ':jobs')", "{namespace}:jobs"),
        ("r.get(os.environ.get('APP_NS', 'app') + ':jobs')", "{app_ns}:jobs"),
        ("def f(pattern, spider):\n    r.get(pattern % spider)", "{pattern}"),
        ("def f(pattern, spider):\n    r.get(pattern.format(spider))", "{pattern}"),
        ("def f(user):\n    r.get(user.get_cache_key())", "{cache_key}"),
    ],
)
def test_a_hole_is_called_by_what_the_reader_sees(text, expected):
    assert template(f"import os\n{text}\n") == expected


@pytest.mark.parametrize(
    ("line", "template"),
    [
        ("r.mget([f'user:{n}' for n in ns])", "user:{n}"),
        ("r.mget(*[f'user:{n}' for n in ns])", "user:{n}"),
        ("r.mget(keys)", "kept:{n}"),
        ("r.delete(*keys)", "kept:{n}"),
        ("r.mset({f'user:{n}': 1 for n in ns})", "user:{n}"),
    ],
)
def test_keys_that_a_comprehension_makes_stand_for_many(line, template):
    call = calls(f"def f(ns):\n    keys = [f'kept:{{n}}' for n in ns]\n    {line}")[-1]
    assert [key.template for key in call.keys] == [key.template for key in call.several] == [template]


def test_a_list_that_is_written_out_stands_for_itself():
    call = calls("def f(n):\n    keys = ['a', f'b:{n}']\n    r.mget(keys)")[-1]
    assert [key.template for key in call.keys] == ["a", "b:{n}"]
    assert not call.several


@pytest.mark.parametrize(
    ("body", "over"),
    [
        ("for n in ns: r.get(f'a:{n}')", "ns"),
        ("for n in ns: r.get(f'a:{n.id}')", "ns"),
        ("for n, m in ns.items():\n        key = 'a:' + n\n        r.get(key)", "ns.items()"),
        ("for n in ns:\n        part = make(n)\n        r.get(f'a:{part}')", "ns"),
        ("[r.get(f'a:{n}') for n in ns]", "ns"),
        ("for n in ns: r.get(f'a:{ns}')", ""),
        ("while ns: r.get(f'a:{ns}')", ""),
    ],
)
def test_a_hole_tells_what_loop_fills_it_anew(body, over):
    key = calls(f"def f(ns, make):\n    {body}")[-1].key
    assert key is not None
    assert [hole.turns for hole in key.pieces if isinstance(hole, Hole)] == [over]
