"""Programs as they are found, one for each shape, with what is done with them.

Law of this file: `work()` is whatever the program protects; steps are Python, and `outside` is a client of its own.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Program:
    """A program, what the migration makes of it, and steps in which both are to behave alike."""

    name: str
    use_case: str
    before: str
    after: str
    steps: tuple[str, ...]

    @property
    def asynchronous(self) -> "Program":
        """The same for asyncio."""
        return Program(
            f"{self.name}, asyncio", self.use_case, _aio(self.before), _aio(self.after, new=True), self.steps
        )


_AWAITED = re.compile(
    r"((?:r|pipe)\.(?:set|setnx|get|delete|expire|incr|incrby|publish|ttl|execute)\(|lock\.(?:acquire|release)\()"
)
_NEW = re.compile(
    r"(coordination\.claim\(|coordination\.\w+\([^()]*(?:\([^()]*\))?[^()]*\)\.(?:try_acquire|increment|value|reset|send)\(|lease\.release\()"
)
_ATTRIBUTE = re.compile(r"(await coordination\.[^\n]*?\))\.(value|accepted|receivers)(?!\()")


def _aio(text: str, new: bool = False) -> str:
    text = re.sub(r"^def ", "async def ", text, flags=re.MULTILINE)
    text = re.sub(r"with (r\.lock|lock|lease|coordination|r\.pipeline)", r"async with \1", text)
    text = text.replace("work(", "await work(")
    text = (_NEW if new else _AWAITED).sub(r"await \1", text)
    text = re.sub(r"await pipe\.execute\(\)\[", "(await pipe.execute())[", text)
    return _ATTRIBUTE.sub(r"(\1).\2", text)


LOCKS = (
    Program(
        "guard, try and finally",
        "settling",
        """\
def settle(order):
    # one at a time
    if not r.set(f"settle:{order}", "1", nx=True, ex=30):  # busy
        return "busy"
    try:
        # the work itself
        return work(order)
    finally:
        r.delete(f"settle:{order}")
""",
        """\
def settle(order):
    # one at a time
    lease = coordination.lock("settling", str(order)).try_acquire()
    if lease is None:  # busy
        return "busy"
    with lease:
        # the work itself
        return work(order)
""",
        (
            "settle(7)",
            "outside.set('settle:7', 'x', ex=30)",
            "settle(7)",
            "settle('a:b')",
            "settle('fail')",
            "settle(None)",
        ),
    ),
    Program(
        "within an if",
        "settling",
        """\
def settle(order: int):
    if r.set("settle:%s" % order, 1, nx=True, px=30000):
        try:
            work(order)
        finally:
            r.delete("settle:%s" % order)
    else:
        return "busy"
    return "done"
""",
        """\
def settle(order: int):
    if lease := coordination.lock("settling", order).try_acquire():
        with lease:
            work(order)
    else:
        return "busy"
    return "done"
""",
        ("settle(7)", "outside.set('settle:7', 'x', ex=30)", "settle(7)", "settle(8)"),
    ),
    Program(
        "the answer in a variable, deleted at the end alone",
        "settling",
        """\
def settle(order):
    acquired = r.set("settle:" + order, "1", ex=30, nx=True)
    if not acquired:
        return False
    work(order)
    r.delete("settle:" + order)
    return True
""",
        """\
def settle(order):
    lease = coordination.lock("settling", order).try_acquire()
    if not lease:
        return False
    work(order)
    lease.release()
    return True
""",
        (
            "settle('7')",
            "outside.set('settle:7', 'x', ex=30)",
            "settle('7')",
            "settle('fail')",
            "settle('8')",
        ),
    ),
    Program(
        "SETNX and EXPIRE",
        "settling",
        """\
def settle(order):
    if r.setnx("settle:{}".format(order), 1):
        r.expire("settle:{}".format(order), 30)
        try:
            return work(order)
        finally:
            r.delete("settle:{}".format(order))
    return None
""",
        """\
def settle(order):
    if lease := coordination.lock("settling", str(order)).try_acquire():
        with lease:
            return work(order)
    return None
""",
        ("settle(7)", "outside.set('settle:7', 'x', ex=30)", "settle(7)", "settle(8)"),
    ),
    Program(
        "given back in a finally that does more",
        "settling",
        """\
def settle(orders):
    for order in orders:
        got = False
        try:
            got = r.set(f"settle:{order}", 1, nx=True, ex=30)
            if got is None:
                continue
            work(order)
        finally:
            if got:
                r.delete(f"settle:{order}")
            done.append(order)
    return len(done)
""",
        """\
def settle(orders):
    for order in orders:
        lease = None
        try:
            lease = coordination.lock("settling", str(order)).try_acquire()
            if lease is None:
                continue
            work(order)
        finally:
            if lease:
                lease.release()
            done.append(order)
    return len(done)
""",
        ("settle([7, 8])", "outside.set('settle:7', 'x', ex=30)", "settle([7, 8, 7])", "settle(['fail', 7])"),
    ),
    Program(
        "redis-py's lock in a with",
        "settling",
        """\
def settle(order):
    with r.lock(f"settle:{order}", timeout=30, blocking_timeout=5):
        return work(order)
""",
        """\
def settle(order):
    with coordination.lock("settling", str(order)):
        return work(order)
""",
        ("settle(7)", "settle('x y')", "settle('fail')"),
    ),
    Program(
        "redis-py's lock by its methods",
        "settling",
        """\
def settle(order):
    lock = r.lock(f"settle:{order}", timeout=30)
    if not lock.acquire(blocking=False):
        return "busy"
    try:
        return work(order)
    finally:
        lock.release()
""",
        """\
def settle(order):
    lease = coordination.lock("settling", str(order)).try_acquire()
    if lease is None:
        return "busy"
    with lease:
        return work(order)
""",
        ("settle(7)", "outside.set('settle:7', 'x', ex=30)", "settle(7)", "settle('fail')"),
    ),
    Program(
        "a look, then redis-py's lock in a with",
        "settling",
        """\
def settle(order):
    if r.get(f"settle:{order}"):  # busy
        return "busy"

    with r.lock(f"settle:{order}", 30):
        return work(order)
""",
        """\
def settle(order):
    lease = coordination.lock("settling", str(order)).try_acquire()
    if lease is None:  # busy
        return "busy"

    with lease:
        return work(order)
""",
        ("settle(7)", "outside.set('settle:7', 'x', ex=30)", "settle(7)", "settle('fail')"),
    ),
)

CLAIMS = (
    Program(
        "tested where it is made",
        "export",
        """\
def export(batch):
    if not r.set(f"export:{batch}", "1", nx=True, ex=60):
        return "again"
    return work(batch)
""",
        """\
def export(batch):
    if not coordination.claim("export", str(batch)):
        return "again"
    return work(batch)
""",
        ("export(7)", "export(7)", "export('a b')", "outside.set('export:9', 1, ex=60)", "export(9)"),
    ),
    Program(
        "SETNX, EXPIRE, and the answer given back",
        "export",
        """\
def export(batch):
    first = r.setnx(f"export:{batch}", 1)
    if first:
        r.expire(f"export:{batch}", 60)
    return first
""",
        """\
def export(batch):
    first = coordination.claim("export", str(batch)).accepted
    return first
""",
        ("export(7)", "export(7)", "export(0)"),
    ),
    Program(
        "True or None given back",
        "export",
        """\
def export(batch):
    return r.set(f"export:{batch}", 1, nx=True, ex=60)
""",
        """\
def export(batch):
    return coordination.claim("export", str(batch)).accepted or None
""",
        ("export(7)", "export(7)", "export(8)"),
    ),
    Program(
        "compared with None",
        "export",
        """\
def export(batch):
    won = r.set(f"export:{batch}", 1, nx=True, ex=60)
    if won is None:
        return "again"
    return "first"
""",
        """\
def export(batch):
    won = coordination.claim("export", str(batch))
    if not won:
        return "again"
    return "first"
""",
        ("export(7)", "export(7)", "export(8)"),
    ),
)

COUNTERS = (
    Program(
        "counted, and the window started by the first",
        "attempts",
        """\
def hit(account):
    count = r.incr(f"login:{account}:attempts")
    if count == 1:
        r.expire(f"login:{account}:attempts", 60)
    return count > 2
""",
        """\
def hit(account):
    count = coordination.counter("attempts", str(account)).increment().value
    return count > 2
""",
        ("hit(7)", "hit(7)", "hit(7)", "hit('x@y')", "outside.set('login:9:attempts', 5, ex=60)", "hit(9)"),
    ),
    Program(
        "counted by more, with a window for what has none",
        "attempts",
        """\
def hit(account):
    count = r.incrby(f"login:{account}:attempts", 3)
    if r.ttl(f"login:{account}:attempts") == -1:
        r.expire(f"login:{account}:attempts", 60)
    return count
""",
        """\
def hit(account):
    count = coordination.counter("attempts", str(account)).increment(by=3).value
    return count
""",
        ("hit(7)", "hit(7)", "outside.set('login:9:attempts', 5)", "hit(9)"),
    ),
    Program(
        "read and reset",
        "attempts",
        """\
def seen(account):
    return int(r.get(f"login:{account}:attempts") or 0)


def forget(account):
    r.delete(f"login:{account}:attempts")
""",
        """\
def seen(account):
    return coordination.counter("attempts", str(account)).value()


def forget(account):
    coordination.counter("attempts", str(account)).reset()
""",
        (
            "seen(7)",
            "outside.set('login:7:attempts', 4, ex=60)",
            "seen(7)",
            "forget(7)",
            "seen(7)",
            "forget(7)",
        ),
    ),
    Program(
        "kept, tested and read",
        "attempts",
        """\
def blocked(account):
    attempts = r.get(f"login:{account}:attempts")
    if attempts is None:
        return "none"
    if attempts and int(attempts) >= 5:
        return "blocked"
    return int(attempts) if attempts else 0
""",
        """\
def blocked(account):
    attempts = coordination.counter("attempts", str(account)).value()
    if not attempts:
        return "none"
    if attempts and attempts >= 5:
        return "blocked"
    return attempts
""",
        (
            "blocked(7)",
            "outside.set('login:7:attempts', 4, ex=60)",
            "blocked(7)",
            "outside.incr('login:7:attempts')",
            "blocked(7)",
        ),
    ),
    Program(
        "a pipeline in a with",
        "attempts",
        """\
def hit(account):
    with r.pipeline() as pipe:
        pipe.incr(f"login:{account}:attempts")
        pipe.expire(f"login:{account}:attempts", 60)
        count, _ = pipe.execute()
        if count > 2:
            return "blocked"
    return count
""",
        """\
def hit(account):
    count = coordination.counter("attempts", str(account)).increment().value
    if count > 2:
        return "blocked"
    return count
""",
        ("hit(7)", "hit(7)", "hit(7)", "hit(8)"),
    ),
    Program(
        "a pipeline and its answers",
        "attempts",
        """\
def hit(account):
    pipe = r.pipeline(transaction=True)
    pipe.incr(f"login:{account}:attempts")
    pipe.expire(f"login:{account}:attempts", 60, nx=True)
    return pipe.execute()[0]
""",
        """\
def hit(account):
    return coordination.counter("attempts", str(account)).increment().value
""",
        ("hit(7)", "hit(7)", "hit(8)"),
    ),
)

SIGNALS = (
    Program(
        "sent",
        "flags",
        """\
def tell():
    r.publish("flags", "changed")
    return r.publish("flags", 1)
""",
        """\
def tell():
    coordination.signal("flags").send("changed")
    return coordination.signal("flags").send("1").receivers
""",
        ("tell()",),
    ),
)

ALL = (*LOCKS, *CLAIMS, *COUNTERS, *SIGNALS)
BOTH = tuple(program for one in ALL for program in (one, one.asynchronous))
