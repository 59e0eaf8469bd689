"""What helpers do, told where they are called."""

from textwrap import dedent

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames


def lent(*texts):
    """(line, command, key, line in the helper) of what is lent to the last of the files."""
    paths = [f"m{number}.py" for number in range(len(texts))]
    facts = [module_facts(path, dedent(text)) for path, text in zip(paths, texts, strict=True)]
    module = link(facts, ModuleNames(paths), Settings()).project.modules[-1]
    return [
        (call.span.line, call.command, call.keys[0].template, call.lent_by.span.line if call.lent_by else 0)
        for call in module.lent
    ]


START = "import redis\nr = redis.Redis()\n"


def test_a_helper_lends_what_it_does_to_its_parameter():
    text = START + "def bump(key):\n    r.incr(key)\ndef f(user):\n    bump(f'u:{user}')\n    r.ping()\n"
    assert lent(text) == [(6, "INCRBY", "u:{user}", 4)]


def test_a_helper_of_another_file_lends_too():
    there = START + "def bump(key):\n    r.incr(key)\n"
    here = "from m0 import bump, r\ndef f():\n    bump('a')\n    r.ping()\n"
    assert lent(there, here) == [(3, "INCRBY", "a", 4)]


def test_a_key_that_only_the_helper_knows_is_not_lent():
    text = (
        START
        + "def bump(key):\n    key = next(key)\n    r.incr(key)\ndef f():\n    bump('a')\n    r.ping()\n"
    )
    assert lent(text) == []


def test_a_parameter_that_is_part_of_the_key_is_put_in():
    text = START + "def bump(user):\n    r.incr(f'u:{user}')\ndef f():\n    bump('ada')\n    r.ping()\n"
    assert lent(text) == [(6, "INCRBY", "u:ada", 4)]


def test_helpers_of_helpers_are_not_followed():
    text = (
        START + "def low(key):\n    r.incr(key)\ndef mid(key):\n    r.ping()\n    low(key)\n"
        "def f():\n    mid('a')\n    r.ping()\n"
    )
    assert lent(text) == [(7, "INCRBY", "{key}", 4)]


def test_a_function_that_calls_itself_is_not_its_own_helper():
    assert lent(START + "def bump(key):\n    r.incr(key)\n    bump(key)\n") == []


def test_a_pipeline_handed_over_is_the_pipeline_of_the_caller():
    text = (
        START
        + "def bump(p, key):\n    p.incr(key)\ndef f():\n    p = r.pipeline()\n    bump(p, 'a')\n    p.execute()\n"
    )
    facts = module_facts("m0.py", text)
    module = link([facts], ModuleNames(["m0.py"]), Settings()).project.modules[0]
    own = next(call for call in module.calls if call.method == "execute")
    assert [call.client for call in module.lent] == [own.client]
    assert module.lent[0].pipeline == own.pipeline


def test_a_parameter_that_is_not_given_is_what_it_is_by_default():
    text = START + "def bump(key='a'):\n    r.incr(key)\ndef f():\n    bump()\n    r.ping()\n"
    assert lent(text) == [(6, "INCRBY", "a", 4)]


def test_a_star_may_hide_what_is_given_instead_of_the_default():
    text = START + "def bump(key='a'):\n    r.incr(key)\ndef f(*these):\n    bump(*these)\n    r.ping()\n"
    assert lent(text) == []


def test_two_objects_of_one_class_have_keys_of_their_own():
    text = (
        START
        + "class Count:\n    def __init__(self, name):\n        self.name = name\n"
        + "    def bump(self, day):\n        r.incr(f'{self.name}:{day}')\n"
        + "def f(day):\n    one, other = Count('a'), Count('b')\n"
        + "    one.bump(day)\n    other.bump(day)\n    one.bump(day)\n    r.ping()\n"
    )
    module = link([module_facts("m0.py", text)], ModuleNames(["m0.py"]), Settings()).project.modules[0]
    first, second, again = (call.keys[0] for call in module.lent)
    assert first != second
    assert first == again
