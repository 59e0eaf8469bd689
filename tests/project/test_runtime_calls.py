"""Calls of the runtime: where the coordination object came from, and the names that it is given."""

from textwrap import dedent

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import ModuleUses, RuntimeCall
from redis_guard.project.names import ModuleNames

HEAD = 'from redis_guard.runtime import Coordination\ncoordination = Coordination.from_file("r.yaml")\n'


def uses(files: dict[str, str], **settings: object) -> dict[str, ModuleUses]:
    texts = {path: dedent(text) for path, text in files.items()}
    chosen = Settings(**settings)  # type: ignore[arg-type]
    linked = link([module_facts(path, text) for path, text in texts.items()], ModuleNames(texts), chosen)
    assert not linked.tracebacks, linked.tracebacks
    return {module.path: module for module in linked.project.modules}


def runtime_call(body: str, **settings: object) -> RuntimeCall:
    """The only call of the runtime in a file that has a coordination object."""
    (call,) = uses({"app.py": HEAD + dedent(body)}, **settings)["app.py"].runtime_calls
    return call


def names(body: str) -> set[str]:
    call = runtime_call(body)
    assert not call.dynamic
    return {said.text for said in call.names}


def test_a_runtime_call_is_no_use_of_a_client() -> None:
    source = (
        HEAD
        + "import redis\nr = redis.Redis()\nwith coordination.lock('a') as lease:\n    lease.release()\nr.get('a')\n"
    )
    module = uses({"app.py": source})["app.py"]
    assert [call.method for call in module.calls] == ["get"]
    assert [built.type for built in module.constructions] == ["redis.client.Redis"]
    assert [(call.primitive, call.receiver, call.confidence) for call in module.runtime_calls] == [
        ("lock", "coordination", "certain")
    ]


@pytest.mark.parametrize(
    "call", ["observe(redis.Redis(), None, None)", "observe(registry=None, client=redis.Redis())"]
)
def test_an_observed_client_is_a_client(call: str) -> None:
    source = f"import redis\nfrom redis_guard.runtime import observe\nr = {call}\nr.incr('a')\n"
    (found,) = uses({"app.py": source})["app.py"].calls
    assert (found.method, found.type, found.how) == (
        "incr",
        "redis.client.Redis",
        "observe(…) from redis.Redis()",
    )


def test_a_container_of_a_client_and_a_coordination_is_asked_as_a_client() -> None:
    body = "    held = coordination if kind else redis.Redis()\n    held[key] = 1\n    return held[key], key in held\n"
    source = f"{HEAD}import redis\ndef f(kind, key):\n{body}"
    module = uses({"app.py": source})["app.py"]
    assert {call.method for call in module.calls} == {"__getitem__", "__contains__", "__setitem__"}


def test_the_object_is_found_two_modules_away() -> None:
    found = uses(
        {
            "app/made.py": HEAD,
            "app/handed.py": "from app.made import coordination as together\n",
            "app/used.py": "from app.handed import together\ntogether.claim('a', 1)\n",
        }
    )
    assert [call.primitive for call in found["app/used.py"].runtime_calls] == ["claim"]


@pytest.mark.parametrize(
    "files",
    [
        {
            "app/ext.py": "coordination = make()\n",
            "app/used.py": "from app.ext import coordination\ncoordination.lock('a')\n",
        },
        {
            "app/ext.py": "coordination = make()\n",
            "app/used.py": "from app import ext\next.coordination.lock('a')\n",
        },
        {"src/app/ext.py": "coordination = make()\ncoordination.lock('a')\n"},
        {"app/used.py": "from app.ext import coordination as c\nc.lock('a')\n"},
        {"app/used.py": "import app.ext\napp.ext.coordination.lock('a')\n"},
        {"app/ext.py": "class Ext:\n    coordination = make()\n", "app/used.py": ""},
    ],
    ids=["imported", "of its module", "at home", "of a package", "of a package by its path", "not this one"],
)
def test_the_configuration_says_which_object_it_is(files: dict[str, str]) -> None:
    expected = 0 if "class" in files.get("app/ext.py", "") else 1
    for coordination, count in (("app.ext.coordination", expected), ("", 0)):
        modules = uses(files, coordination=coordination).values()
        assert sum(len(module.runtime_calls) for module in modules) == count


def test_a_helper_says_each_name_where_it_is_called() -> None:
    call = runtime_call("def f(name):\n    coordination.lock(name)\nf('a')\ndef g():\n    f('b')\n")
    assert [(said.text, said.span.line, said.function) for said in call.names] == [
        ("a", 5, ""),
        ("b", 7, "g"),
    ]
    assert call.span.line == 4


def test_what_tests_hand_in_says_nothing_about_other_code() -> None:
    files = {
        "app.py": HEAD + "def f(name):\n    coordination.lock(name)\n",
        "test_app.py": "from app import f\nf('a')\n",
    }
    (call,) = uses(files, is_test=lambda path: path.startswith("test_"))["app.py"].runtime_calls
    assert (call.names, call.dynamic) == ((), "name")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("coordination.lock(f'a')", {"a"}),
        ("A = 'a'\ncoordination.lock(f'{A}_b')", {"a_b"}),
        ("coordination.lock('a' if x else 'b')", {"a", "b"}),
        ("for n in ('a', 'b'):\n    coordination.lock(n)", {"a", "b"}),
        ("for _, n in ((1, 'a'), (2, 'b')):\n    coordination.lock(n)", {"a", "b"}),
        ("for n in dict.fromkeys(['a', 'b']):\n    coordination.lock(n)", {"a", "b"}),
        ("t = {1: 'a'}\nt[2] = 'b'\ncoordination.lock(t[x])", {"a", "b"}),
        ("t = {1: 'a', 2: 'b'}\ncoordination.lock(t[1])", {"a"}),
        ("t = []\nt.append('a')\nfor n in t:\n    coordination.lock(n)", {"a"}),
        ("t = ['a', 'b']\ncoordination.lock(t[-1])", {"b"}),
        ("def f(n='a'):\n    coordination.lock(n)", {"a"}),
        ("def f(n='a'):\n    coordination.lock(n)\nf()\nf('b')", {"a", "b"}),
        ("def f(*a):\n    coordination.lock(*a)\nf('a')", {"a"}),
        ("f = lambda: 'a'\ndef g():\n    return 'b'\ncoordination.lock(g())", {"b"}),
        ("n = 'a'\nwhile x:\n    coordination.lock(n)\n    n = 'b'", {"a", "b"}),
        ("def f(n):\n    coordination.lock(n)\n    f(n)\nf('a')", {"a"}),
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n    n: str\n"
            "    def f(self):\n        coordination.lock(self.n)\nC('a')\nC(n='b')",
            {"a", "b"},
        ),
        (
            "import dataclasses\n@dataclasses.dataclass\nclass C:\n    n: str = dataclasses.field(default='a')\n"
            "    m: str = 'b'\n    def f(self):\n        coordination.lock(self.n or self.m)\nC('c')\nC(m='d')",
            {"a", "b", "c", "d"},
        ),
        (
            "class C:\n    @property\n    def n(self):\n        return 'a'\n    def f(self):\n"
            "        coordination.lock(self.n)",
            {"a"},
        ),
    ],
)
def test_names_are_followed_to_where_they_are_written(body: str, expected: set[str]) -> None:
    assert names(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "def f(n):\n    n = n or f(n)\n    coordination.lock(n)",
        "n = n",
        "class C(C):\n    n = C.n\ncoordination.lock(C.n)",
        "def f(a):\n    return g(a)\ndef g(a):\n    return f(a)\ncoordination.lock(f(1))",
        "t = {1: t}\ncoordination.lock(t[1])",
    ],
)
def test_what_leads_in_a_circle_ends(body: str) -> None:
    for call in uses({"app.py": HEAD + body})["app.py"].runtime_calls:
        assert not call.names


def test_a_class_that_says_which_names_there_are_for_a_type_checker_takes_them_all_the_same() -> None:
    body = """
        from typing import TYPE_CHECKING, Literal

        class Typed(Coordination):
            if TYPE_CHECKING:

                def lock(self, name: Literal["a"], order: str, /) -> object:
                    raise NotImplementedError

        Typed.from_package("app", "r.yaml").lock("b", "7")
    """
    assert names(body) == {"b"}


def test_helpers_of_helpers_with_many_callers_cost_no_more_than_a_question_may() -> None:
    layers = [f"def f{n}(name):\n" + f"    f{n - 1}(name)\n" * 40 for n in range(1, 8)]
    body = "def f0(name):\n    coordination.lock(name)\n" + "".join(layers) + "f7('a')\n" * 40
    call = runtime_call(body)
    assert call.unseen
    assert not call.dynamic


def test_a_name_from_outside_the_project_is_unseen_and_not_decided_at_run_time() -> None:
    call = runtime_call("from company import SETTLE\ncoordination.lock(SETTLE)")
    assert (call.names, call.dynamic, call.unseen) == ((), "", True)


def test_a_method_decided_at_run_time_has_no_primitive() -> None:
    call = runtime_call("def f(kind):\n    getattr(coordination, kind)('a')")
    assert (call.primitive, [said.text for said in call.names]) == (None, ["a"])


def test_texts_are_told_of_files_that_speak_of_the_runtime() -> None:
    found = uses({"app.py": HEAD + "x = {'a': 'b'}\n", "other.py": "import redis\ny = 'c'\n"})
    assert found["app.py"].texts >= {"a", "b"}
    assert found["other.py"].texts == frozenset()
