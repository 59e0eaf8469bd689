"""Which files a project's clients make worth reading, beyond those that speak of Redis."""

from collections.abc import Callable
from pathlib import Path

from redis_guard.analysis import analyse
from redis_guard.config import load_config

Project = Callable[..., Path]


def checked(root: Path) -> tuple[set[str], set[str]]:
    """The files that were parsed, and those with a KEYS."""
    judgement = analyse(load_config(root), use_cache=False).judgement
    return set(judgement.analysed), {f.path for f in judgement.findings if f.code == "RG701"}


def test_a_function_that_gives_back_what_it_is_given_makes_nobody_worth_reading(project: Project) -> None:
    root = project({
        "app/main.py": "import redis\nfrom app.text import same\n\nsame(redis.Redis()).keys('a:*')\n",
        "app/text.py": "def same(x):\n    y = x\n    return y or again(x)\n\n\ndef again(x):\n    return same(x)\n",
        "app/other.py": "from app.text import same\n\nsame({}).keys()\n",
    })  # fmt: skip
    assert checked(root) == ({"app/main.py", "app/text.py"}, {"app/main.py"})


def test_a_function_with_a_client_of_its_own_does(project: Project) -> None:
    root = project({
        "app/main.py": "import redis\n\nstore = redis.Redis()\n\n\ndef either(x):\n    return x or store\n",
        "app/other.py": "from app.main import either\n\neither(None).keys('a:*')\n",
    })  # fmt: skip
    assert checked(root)[1] == {"app/other.py"}


def test_a_base_class_that_keeps_the_client_is_read_through_the_packages_that_hand_it_on(
    project: Project,
) -> None:
    root = project({
        "app/main.py": "import redis\nfrom app.jobs import cleaning\n\ncleaning.Cleaning(redis.Redis()).run()\n",
        "app/__init__.py": "",
        "app/jobs/__init__.py": "",
        "app/jobs/cleaning.py": "from app import bases\n\n\nclass Cleaning(bases.Job):\n"
        "    def run(self):\n        self.redis.keys('a:*')\n        self.kept.hgetall('x')\n",
        "app/bases/__init__.py": "from app.bases.job import Job\n",
        "app/bases/job.py": "from app.bases.root import Root\n\n\nclass Job(Root):\n    pass\n",
        "app/bases/root.py": "class Root:\n    def __init__(self, kept):\n        self.kept = kept\n",
    })  # fmt: skip
    assert "app/bases/root.py" in checked(root)[0]


def test_a_function_that_is_handed_a_client_through_a_package_is_read(project: Project) -> None:
    root = project({
        "app/main.py": "import redis\nfrom app import tools\n\ntools.sweep(redis.Redis())\n",
        "app/__init__.py": "",
        "app/tools/__init__.py": "from .sweeping import sweep\n",
        "app/tools/sweeping.py": "def sweep(conn):\n    conn.keys('a:*')\n",
    })  # fmt: skip
    assert checked(root)[1] == {"app/tools/sweeping.py"}


def test_an_attribute_that_nobody_else_names_makes_nobody_worth_reading(project: Project) -> None:
    root = project({
        "app/main.py": "import redis\n\n\nclass Holder:\n    def __init__(self):\n        self.kept = redis.Redis()\n",
        "app/user.py": "from app.main import Holder\n\nHolder().kept.keys('a:*')\n",
        "app/other.py": "from app.main import Holder\n\nprint(Holder())\n",
    })  # fmt: skip
    assert checked(root) == ({"app/main.py", "app/user.py"}, {"app/user.py"})


def test_a_fixture_that_a_conftest_imports_reaches_the_tests_below_it(project: Project) -> None:
    made = "import pytest\nimport redis\n\n\n@pytest.fixture\ndef store():\n    return redis.Redis()\n"
    root = project({
        "support/made.py": made,
        "tests/conftest.py": "from support.made import store\n",
        "tests/test_a.py": "def test_a(store):\n    store.keys('a')\n",
    })  # fmt: skip
    assert checked(root)[1] == {"tests/test_a.py"}


def test_a_general_base_class_exports_nothing_of_what_one_below_it_keeps(project: Project) -> None:
    root = project({
        "app/base.py": "class Store:\n    kept = None\n",
        "app/main.py": "import redis\nfrom app.base import Store\n\n\nclass Cache(Store):\n"
        "    def __init__(self):\n        self.kept = redis.Redis()\n",
        "app/disk.py": "from app.base import Store\n\n\n"
        "class Disk(Store):\n    def read(self):\n        return self.kept\n",
        "app/user.py": "from app.main import Cache\n\nCache().kept.keys('a:*')\n",
    })  # fmt: skip
    assert checked(root) == ({"app/base.py", "app/main.py", "app/user.py"}, {"app/user.py"})
