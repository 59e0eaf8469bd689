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
