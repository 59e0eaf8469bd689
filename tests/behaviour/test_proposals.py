"""Registry entries drafted from code: whatever is proposed loads."""

import yaml

from redis_guard.behaviour.classify import classify
from redis_guard.behaviour.proposals import Proposal, propose
from redis_guard.registry import load_registry

EVERYTHING = """
class Store:
    def work(self, n, client, t):
        r.set(f"lock:{n}", "me", nx=True, ex=900)
        r.delete(f"lock:{n}")
        r.set(f"claim:{n}:{self.part}", 1, nx=True)
        r.incr(f"hits:{client.name}")
        r.expire(f"hits:{client.name}", 60)
        r.incr("hits")
        r.publish("flags", "go")
        r.set(f"page:{n}{t}", 1, ex=60)
        r.set(f"page:{n}{t}", 1, ex=600)
        r.set(f"view:{n}", 1, ex=t)
        r.zadd(f"board:{n}:{n}", {"a": 1})
        r.xadd("jobs:{mail}", {"a": 1})
        r.get(f"known:{n}")
        r.set(n, 1)
        r.set(f"{n}:tail", 1)
        r.flushdb()
"""


def proposals(project_uses) -> list[Proposal]:
    return [found for found in propose(classify(project_uses(EVERYTHING)).groups) if found is not None]


def test_what_is_proposed_loads(project_uses, tmp_path):
    document: dict[str, object] = {
        "version": 1,
        "owners": {"unowned": {"contact": "nobody", "description": "x"}},
    }
    for found in proposals(project_uses):
        section = document.setdefault(found.section, {})
        assert isinstance(section, dict)
        section[found.name] = dict(found.fields)
    path = tmp_path / "redis_guard.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")

    registry = load_registry([path])

    assert {case.primitive for case in registry.use_cases.values()} == {"lock", "claim", "counter", "signal"}
    assert {space.name for space in registry.keyspaces} == {
        "page:{n}", "view:{n}", "board:{n}:{n_2}", "jobs:{{mail}}",
    }  # fmt: skip


def test_names_come_from_the_text_of_keys_and_are_unique(project_uses):
    names = [found.name for found in proposals(project_uses) if found.section == "use_cases"]

    assert names == ["lock", "claim", "hits", "hits_2", "flags"]


def test_lifetimes_come_from_the_code_and_guesses_are_named(project_uses):
    by_name = {found.name: found for found in proposals(project_uses)}

    assert dict(by_name["lock"].fields)["ttl"] == "15m"
    assert "ttl" not in by_name["lock"].review
    assert dict(by_name["claim"].fields)["ttl"] == "15m"
    assert "ttl" in by_name["claim"].review
    assert dict(by_name["page:{n}"].fields)["ttl"] == "1m..10m"
    assert dict(by_name["view:{n}"].fields)["ttl"] == "required"
    assert dict(by_name["board:{n}:{n_2}"].fields)["ttl"] == "none"


def test_a_key_that_would_claim_other_keys_is_not_proposed(project_uses):
    keys = [dict(found.fields).get("key", found.name) for found in proposals(project_uses)]

    assert not [key for key in keys if key.startswith("{n}")]
    assert "known:{n}" not in keys


def test_a_placeholder_that_the_registry_would_fill_itself_has_another_name(project_uses, tmp_path):
    uses = project_uses(
        "def f(name, namespace, n):\n    r.incr(f'a:b:{name}:{namespace}:{n.id}')\n    r.set(f'page:{name}', 1)\n"
    )
    found = [proposal for proposal in propose(classify(uses).groups) if proposal is not None]

    assert [dict(proposal.fields).get("key", proposal.name) for proposal in found] == [
        "a:b:{id}:{id_2}:{id_3}", "page:{name}",
    ]  # fmt: skip
