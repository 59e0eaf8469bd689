"""A result that goes to a name of an outer scope: its later uses cannot all be seen."""

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.model import Result
from redis_guard.project.names import ModuleNames

SOURCE = """
import redis

r = redis.Redis()
LAST = None


def keep_globally():
    global LAST
    LAST = r.get("a")


def keep_in_both():
    global LAST
    here = LAST = r.get("b")
    return here


def keep_locally():
    here = r.get("c")
    return here
"""


def results() -> dict[str, Result]:
    project = link([module_facts("a.py", SOURCE)], ModuleNames(["a.py"]), Settings()).project
    return {call.function.name: call.result for call in project.modules[0].calls}


def test_a_global_is_a_store() -> None:
    assert results()["keep_globally"].use == "stored"


def test_a_local_name_beside_a_global_hides_its_later_uses() -> None:
    result = results()["keep_in_both"]

    assert (result.use, result.names, result.later) == ("assigned", ("here",), None)


def test_a_local_name_alone_shows_its_later_uses() -> None:
    later = results()["keep_locally"].later

    assert later is not None
    assert [use.use for use in later] == ["returned"]


def test_a_walrus_that_binds_a_global_leaves_its_value() -> None:
    text = (
        "import redis\nr = redis.Redis()\n\n"
        "def f():\n    global LAST\n    if (LAST := r.get('a')):\n        return 1\n"
    )
    project = link([module_facts("a.py", text)], ModuleNames(["a.py"]), Settings()).project

    assert [call.result.use for call in project.modules[0].calls] == ["condition"]
