"""What is said of a cluster's pipeline, which is no MULTI although nobody asked for that."""

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames
from redis_guard.registry import EMPTY_REGISTRY
from redis_guard.rules.rg205_pipeline_no_transaction import check

SOURCE = """
from redis import Redis
from redis.cluster import RedisCluster

with {opened} as pipe:
    pipe.sadd("seen", 1)
    pipe.expire("seen", 60)
    pipe.execute()
"""


@pytest.mark.parametrize(
    ("opened", "beginning"),
    [
        ("RedisCluster(host='h').pipeline()", "a cluster's pipeline is one MULTI only if told so"),
        ("Redis().pipeline(transaction=False)", "this pipeline is not one MULTI"),
    ],
)
def test_the_message_says_why_the_pipeline_is_no_transaction(opened: str, beginning: str) -> None:
    facts = module_facts("app.py", SOURCE.format(opened=opened))
    module = link([facts], ModuleNames(["app.py"]), Settings()).project.module("app.py")
    assert module is not None
    (report,) = check(module, EMPTY_REGISTRY)
    assert report.message.startswith(beginning)
