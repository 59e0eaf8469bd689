"""The proof can fail: fixes that are wrong, each in one way, and what it says of them."""

from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

import pytest

from tests.proof.bench import Bench
from tests.proof.claim import Claim
from tests.proof.crash import prove_crash
from tests.proof.program import Program
from tests.proof.prove import Pair, Refused, prove_same

PROGRAM = """
from datetime import timedelta

import redis

r = redis.Redis()


def f({parameters}):
{body}
"""


@dataclass(frozen=True)
class Wrong:
    name: str
    original: str
    fixed: str
    said: str
    parameters: str = "k: str, v: str"
    claim: dict[str, Any] = field(default_factory=dict)

    @property
    def pair(self) -> Pair:
        return Pair(
            self._program(self.original),
            self._program(self.fixed),
            Claim(entry="f", **{"safety": "safe", **self.claim}),
        )

    def _program(self, body: str) -> Program:
        text = PROGRAM.format(parameters=self.parameters, body=indent(body, "    "))
        return Program(text, "f", self.name)


SET = "r.set(k, v)\nr.expire(k, 60)"
INCR = "n = r.incr(k)\nr.expire(k, 60, nx=True)\nreturn n"
IN_MULTI = "with r.pipeline() as p:\n    p.{}\n    p.{}\n    {}p.execute()"

DIFFERENT = [
    Wrong("lost result", f"done = {SET}\nreturn done", "r.set(k, v, ex=60)", "outcome: returned"),
    Wrong("lost write", SET, "pass", "key b'': there / absent"),
    Wrong("additional key", SET, "r.set(k, v, ex=60)\nr.set(k + '!', 1)", "key b'!': absent / there"),
    Wrong("other value", SET, "r.set(k, v + ' ', ex=60)", "('string', b' ')"),
    Wrong("other type", "r.rpush(k, v)", "r.sadd(k, v)", "('set',"),
    Wrong("other unit", SET, "r.set(k, v, px=60)", "lifetime of key b''"),
    Wrong("a second more", SET, "r.set(k, v, ex=61)", "lifetime of key b''"),
    Wrong("half a second less", "r.set(k, v, px=2500)", "r.set(k, v, ex=2)", "lifetime of key b''"),
    Wrong("a tenth of a second less", "r.set(k, v, px=700)", "r.set(k, v, px=600)", "lifetime of key b''"),
    Wrong("no lifetime", SET, "r.set(k, v)", "/ none"),
    Wrong("another database", SET, "redis.Redis(db=3).set(k, v, ex=60)", "of database 3: absent / there"),
    Wrong(
        "lifetime of another key",
        "r.mset({'a' + k: 1, 'b' + k: 2})\nr.expire('b' + k, 60)",
        "r.set('a' + k, 1, ex=60)\nr.set('b' + k, 2)",
        "lifetime of key b'a'",
    ),
    Wrong(
        "answers in another order",
        "return r.incr(k), r.ttl(k)",
        IN_MULTI.format("ttl(k)", "incr(k)", "return tuple(") + ")",
        "outcome: returned",
        claim={"waives": frozenset(("refused-write",))},
    ),
    Wrong("one for True", "return r.exists(k) > 0", "return r.exists(k)", "('bool', False)"),
    Wrong("tuple for list", "return r.mget(k, v)", "return tuple(r.mget(k, v))", "('list',"),
    Wrong("iterator for list", "return r.lrange(k, 0, -1)", "return r.sscan_iter(k)", "('iterator',"),
    Wrong("None for False", "return r.setnx(k, v)", "return r.set(k, v, nx=True)", "('NoneType', None)"),
    Wrong(
        "None for a claim that was won",
        "return r.set(k, v, nx=True)",
        "return r.set(k, v, nx=True, get=True)",
        "('NoneType', None)",
    ),
    Wrong(
        "other exception", "r.set(k, v)\n{}[k]", "r.set(k, v)\n[][0]", "outcome: raised ('builtins.KeyError'"
    ),
    Wrong(
        "lifetime that may be None",
        "r.set(k, 'v')\nr.expire(k, ttl)",
        "r.set(k, 'v', ex=ttl)",
        "outcome: raised ('redis.exceptions.DataError'",
        parameters="k: str, ttl: int | None",
        claim={"inputs": {"ttl": "integers(1, 9) | none()"}},
    ),
    Wrong(
        "lifetime that may be 0",
        "r.set(k, 'v')\nr.expire(k, ttl)",
        "r.set(k, 'v', ex=ttl)",
        "raised ('redis.exceptions.ResponseError'",
        parameters="k: str, ttl: int",
        claim={"inputs": {"ttl": "integers(0, 9)"}},
    ),
    Wrong(
        "timedelta that is cut to 0",
        "r.set(k, v)\nr.expire(k, timedelta(milliseconds=500))",
        "r.set(k, v, px=500)",
        "absent / there",
    ),
    Wrong(
        "lifetime of a field",
        "r.hset(k, 'f', v)\nr.expire(k, 60)",
        "r.hsetex(k, 'f', v, ex=60)",
        "(b'f', b'', 60)",
        claim={"waives": frozenset(("refused-write",))},
    ),
    Wrong(
        "window that slides",
        INCR,
        IN_MULTI.format("incr(k)", "expire(k, 60)", "return ") + "[0]",
        "lifetime of key b''",
    ),
    Wrong(
        "lifetime given to what was refused",
        INCR,
        IN_MULTI.format("incr(k)", "expire(k, 60, nx=True)", "return ") + "[0]",
        "lifetime of key b'': none /",
    ),
    Wrong("message left out", "r.publish(k, v)\nr.set(k, v)", "r.set(k, v)", "published: ((b"),
    Wrong("call left out", "job(k)\nr.set(k, 1)", "r.set(k, 1)", "calls: (", parameters="k: str, job"),
]

UNDUE = [
    Wrong(
        "assumption without need",
        SET,
        "r.set(k, v, ex=60)",
        "nothing differs: is the fix safe?",
        claim={"safety": "unsafe", "assumes": "k == ''"},
    ),
    Wrong(
        "original without fault",
        "r.set(k, v, ex=60)",
        "r.set(k, v, ex=60)",
        "where is the fault?",
        claim={"differs": frozenset(("lifetime",)), "gives": "left(k) <= 60"},
    ),
    Wrong(
        "fault that is still there",
        "r.set(k, v)",
        "r.set(k, v, ex=90)",
        "does not give left(k) <= 60",
        claim={"differs": frozenset(("lifetime",)), "gives": "left(k) <= 60"},
    ),
    Wrong("programs that only raise", "r.set(k, v, ex=0)", "r.set(k, v, ex=0)", "raised every time"),
]

CRASHING = [
    Wrong("EXPIRE on its own", SET, SET, "killed after command 1: key b'' stays for ever"),
    Wrong(
        "pipeline without MULTI",
        SET,
        IN_MULTI.format("set(k, v)", "expire(k, 60)", "").replace("pipeline()", "pipeline(False)"),
        "killed after command 1: key b'' stays for ever",
    ),
    Wrong(
        "EXPIRE where a cleanup may come",
        SET,
        "try:\n    r.set(k, v)\nfinally:\n    r.expire(k, 60)",
        "killed after command 1: key b'' stays for ever",
    ),
    Wrong(
        "lifetime taken away on the way out",
        SET,
        "try:\n    r.set(k, v, ex=60)\n    r.ping()\n    ok = True\nexcept BaseException:\n    r.persist(k)",
        "interrupted after command 1: key b'' stays for ever",
    ),
    Wrong(
        "gap in a replacement",
        "r.delete(k)\nr.set(k, v, ex=60)",
        "r.delete(k)\nr.set(k, v, ex=60)",
        "killed after command 1: key b'' is neither as it was nor as it was to be",
        claim={"harmful": False},
    ),
    Wrong("no crash that does harm", "r.set(k, v, ex=60)", "r.set(k, v, ex=60)", "where is the fault?"),
]


@pytest.mark.parametrize("wrong", [*DIFFERENT, *UNDUE], ids=lambda wrong: wrong.name)
def test_a_wrong_fix_is_refused(bench: Bench, wrong: Wrong) -> None:
    with pytest.raises(Refused) as refused:
        prove_same(bench, wrong.pair)
    assert wrong.said in str(refused.value)


@pytest.mark.parametrize("wrong", CRASHING, ids=lambda wrong: wrong.name)
def test_a_fix_that_a_crash_tears_is_refused(bench: Bench, wrong: Wrong) -> None:
    claim = {"lasting": True, "harmful": True, **wrong.claim}
    pair = Wrong(wrong.name, wrong.original, wrong.fixed, wrong.said, claim=claim).pair
    with pytest.raises(Refused) as refused:
        prove_crash(bench, pair)
    assert wrong.said in str(refused.value)


RIGHT = Wrong("right", SET, "r.set(k, v, ex=60)", "", claim={"lasting": True, "harmful": True})


def test_a_right_fix_is_proven(bench: Bench) -> None:
    proof = prove_same(bench, RIGHT.pair)
    assert proof.returned == proof.compared > 30
    assert prove_crash(bench, RIGHT.pair)
