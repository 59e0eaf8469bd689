"""What groups of calls amount to."""

import pytest

from redis_guard.behaviour.classify import classify


@pytest.mark.parametrize(
    ("body", "behaviour"),
    [
        ("def f(n):\n    r.set(f'job:{n}', 'me', nx=True, ex=9)\n    r.delete(f'job:{n}')\n", "lock-like"),
        ("def f(n):\n    return r.lock(f'job:{n}', timeout=9)\n", "lock-like"),
        ("def f(n):\n    return r.set(f'job:{n}', 'me', nx=True, ex=9)\n", "claim-like"),
        ("def f(n):\n    if r.setnx(f'job:{n}', 1):\n        r.expire(f'job:{n}', 9)\n", "claim-like"),
        ("def f(n):\n    r.incr(f'job:{n}')\n    r.expire(f'job:{n}', 9)\n", "counter-like"),
        ("def f(n):\n    r.setnx(f'job:{n}', 0)\n    r.decr(f'job:{n}')\n", "counter-like"),
        ("def f(n):\n    r.publish(f'job:{n}', 'go')\n", "signal-like"),
        ("def f(n):\n    r.set(f'job:{n}', 'v', ex=9)\n    r.get(f'job:{n}')\n", "cache-like"),
        ("def f(n):\n    r.hset(f'job:{n}', 'a', 1)\n    r.expire(f'job:{n}', 9)\n", "cache-like"),
        ("def f(n):\n    r.sadd(f'job:{n}', 1)\n    return r.smembers(f'job:{n}')\n", "durable-like"),
        ("def f(n):\n    r.set(f'job:{n}', 'v', ex=None)\n", "durable-like"),
        ("def f(n):\n    r.hincrby(f'job:{n}', 'a', 1)\n", "durable-like"),
        ("def f(n):\n    r.lpush(f'job:{n}', 1)\n    return r.brpop(f'job:{n}')\n", "queue-like"),
        ("def f(n):\n    r.xadd(f'job:{n}', {'a': 1})\n", "queue-like"),
        ("def f(n):\n    return r.eval('return 1', 1, f'job:{n}')\n", "script"),
        ("def f(n):\n    return r.get(f'job:{n}')\n", "unknown"),
        ("def f(n):\n    return r.info()\n", "admin"),
        ("def f(n):\n    r.execute_command('CONFIG GET', 'maxmemory')\n", "admin"),
        ("def f(n):\n    return r.pipeline()\n", "unknown"),
    ],
)
def test_a_family_of_keys_is_judged_by_its_strongest_sign(project_uses, body, behaviour):
    found = classify(project_uses(body))

    assert [group.behaviour for group in found.groups] == [behaviour]


def test_a_script_that_deletes_gives_a_lock_back(project_uses):
    found = classify(
        project_uses(
            "drop = r.register_script(\"return redis.call('DEL', KEYS[1])\")\n"
            "def f(n, me):\n"
            "    r.set(f'job:{n}', me, nx=True, ex=9)\n"
            "    drop(keys=[f'job:{n}'], args=[me])\n"
        )
    )

    assert {group.behaviour for group in found.groups if group.key is not None} == {"lock-like"}


def test_a_key_with_text_of_its_own_is_one_family_across_files(project_uses):
    found = classify(
        project_uses(
            "def take(n):\n    return r.set(f'job:{n}', 'me', nx=True, ex=9)\n",
            "def give(number):\n    r.delete(f'job:{number}')\n",
        )
    )

    assert [(group.behaviour, group.files) for group in found.groups] == [("lock-like", ("m0.py", "m1.py"))]


def test_a_key_that_is_only_a_parameter_stays_in_its_file(project_uses):
    found = classify(
        project_uses(
            "def take(key):\n    return r.set(key, 'me', nx=True, ex=9)\n",
            "def give(key):\n    r.delete(key)\n",
        )
    )

    assert [group.behaviour for group in found.groups] == ["claim-like", "unknown"]


def test_a_call_that_names_several_keys_speaks_for_all_and_is_listed_once(project_uses):
    project = project_uses(
        "def f(n):\n"
        "    r.set(f'first:{n}', 1, nx=True, ex=9)\n"
        "    r.set(f'second:{n}', 1, nx=True, ex=9)\n"
        "    r.delete(f'first:{n}', f'second:{n}')\n"
    )
    found = classify(project)

    assert [(group.behaviour, len(group.calls)) for group in found.groups] == [
        ("lock-like", 2),
        ("lock-like", 1),
    ]


def test_every_call_has_the_behaviour_of_its_group(project_uses):
    project = project_uses("def f(n):\n    r.incr(f'job:{n}')\n    return r.get(f'job:{n}')\n")
    found = classify(project)

    assert [found.of(call) for call in project.modules[0].calls] == ["counter-like", "counter-like"]


def test_lifetimes_are_those_seen_each_once(project_uses):
    found = classify(
        project_uses(
            "def f(n, t):\n"
            "    r.set(f'page:{n}', 1, ex=60)\n"
            "    r.set(f'page:{n}', 1, ex=60)\n"
            "    r.set(f'page:{n}', 1, px=1500)\n"
            "    r.expire(f'page:{n}', t)\n"
        )
    )

    assert found.groups[0].lifetimes == ("60s", "1500ms", "variable")


@pytest.mark.parametrize(
    ("body", "behaviour"),
    [
        # one name for keys of several types: a wrapper around the client
        (
            "class C:\n    def a(self, key):\n        r.incr(key)\n    def b(self, key):\n        r.sadd(key, 1)\n",
            "unknown",
        ),
        (
            "class C:\n    def a(self, key):\n        r.set(key, 1)\n    def b(self, key):\n        r.lock(key)\n",
            "unknown",
        ),
        (
            "class C:\n    def a(self, key):\n        r.set(key, 1, ex=9)\n    def b(self, key):\n        r.get(key)\n",
            "cache-like",
        ),
        ("class C:\n    def a(self, key):\n        r.incr(key)\n        r.expire(key, 9)\n", "counter-like"),
    ],
)
def test_a_key_that_is_only_a_parameter_may_be_many_things(project_uses, body, behaviour):
    assert {group.behaviour for group in classify(project_uses(body)).groups} == {behaviour}


@pytest.mark.parametrize(
    ("body", "behaviour"),
    [
        ("def f(n):\n    r.zadd(f'mail-queue:{n}', {'a': 1})\n", "queue-like"),
        ("def f(queue_name):\n    r.rpush(queue_name, 1)\n", "queue-like"),
        ("def f(n):\n    r.sadd(f'queue:{n}', 1)\n", "durable-like"),
        ("def f(n):\n    r.zadd(f'queued:{n}', {'a': 1})\n", "durable-like"),
    ],
)
def test_a_list_that_is_called_a_queue_is_one_whoever_takes_from_it(project_uses, body, behaviour):
    assert [group.behaviour for group in classify(project_uses(body)).groups] == [behaviour]


def test_what_tests_clear_away_is_no_sign_of_a_lock(project_of):
    work = "import redis\n\nr = redis.Redis()\n\n\ndef use(code):\n    return r.setnx(f'coupon:{code}', 1)\n"
    test = "from app.work import r\n\n\ndef test_it(code):\n    r.delete(f'coupon:{code}')\n"

    (coupon,) = classify(project_of({"app/work.py": work, "tests/test_work.py": test})).groups

    assert (coupon.behaviour, len(coupon.calls), len(coupon.product)) == ("claim-like", 2, 1)


def test_keys_that_only_tests_use_are_judged_by_the_tests(project_of):
    test = "import redis\n\nr = redis.Redis()\n\n\ndef test_it():\n    r.incr('hits:x')\n"

    (hits,) = classify(project_of({"tests/test_work.py": test})).groups

    assert (hits.behaviour, hits.product) == ("counter-like", ())
