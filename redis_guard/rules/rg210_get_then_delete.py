"""A one-time value is read, and deleted in a second round trip.

What: a value is read and used, and the same key (or field) is then deleted, with neither MULTI nor a script around
both.
Why it hurts: two that come at once both read it before either deletes it: the one-time code works twice. And what is
written between the two is deleted unseen.
Instead: `getdel` (Redis 6.2), `hgetdel` (Redis 8.0), a pop, or both in one MULTI pipeline; a hand-over that happens
once is a claim.
Fix: GET and DELETE become GETDEL, from `target-server` 6.2 on: safe where the DELETE follows directly, unsafe where it
is asked in between whether there is a value; else none.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.atomicity import one_step, protected
from redis_guard.behaviour.holding import gives_up
from redis_guard.behaviour.lookups import same_field, says_value
from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.working import handings, is_noted
from redis_guard.project.flow import can_follow, in_handler
from redis_guard.project.model import Call, ModuleUses, ServerVersion
from redis_guard.registry import Registry
from redis_guard.repairs.read_and_delete import ReadAndDelete
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_WHETHER = frozenset(("not", "is", "is not"))
_SAME = frozenset(("==", "!="))
_ONE_TIME = re.compile(
    r"(?<![a-z])(?:otp|totp|code|pin|nonce|ticket|coupon|voucher|captcha|challenge)(?![a-z])|invit|verif|one_?time|magic"
    r"|activation|confirmation|oauth|password_?reset|reset_?(?:code|token|password)",
    re.IGNORECASE,
)
_LOCK = re.compile(r"lock|mutex|lease|leader", re.IGNORECASE)
_INSTEAD = {"LRANGE": "Rename the key before it is read", "SMEMBERS": "Use spop()"}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for read in module.calls:
        if not says_value(read) or read.result.use in ("discarded", "condition"):
            continue
        if (read.result.use == "compared" and not _is_one_time(read)) or _is_only_put_away(module, read):
            continue
        calls = module.of_function(read.function)
        for delete in calls:
            if (
                _deletes(read, delete)
                and not one_step(calls, read, delete)
                and not protected(calls, read, delete)
            ):
                yield at(
                    read,
                    _message(read, registry, module.server),
                    (delete, f"the {command_of(delete)}"),
                    repair=ReadAndDelete(read, delete),
                )
                break


def _deletes(read: Call, delete: Call) -> bool:
    if delete.command not in ("DEL", "UNLINK", "HDEL") or not can_follow(read.place, delete.place):
        return False
    if (delete.command == "HDEL") != (read.command in ("HGET", "HMGET")):
        return False
    return (
        len(read.keys) == 1
        and read.key in delete.keys
        and same_field(read, delete)
        and not in_handler(delete.place)
        and not _because_of(read, delete)
        and _is_used(read)
    )


def _because_of(read: Call, delete: Call) -> bool:
    """What the value says decides whether it is deleted: then deleting puts something right, unless it is used up."""
    return any(
        taken.order == read.place.order
        and (guard.operators - _WHETHER or taken.way == "changed")
        and not (_is_one_time(read) and guard.operators & _SAME and guard.operators <= _SAME | _WHETHER)
        for guard in delete.guards
        for taken in guard.takes
    )


def _is_one_time(read: Call) -> bool:
    """A code that somebody shows, and that counts once."""
    template = read.key.template if read.key is not None else ""
    return bool(_ONE_TIME.search(template)) and not _LOCK.search(template)


def _is_only_put_away(module: ModuleUses, read: Call) -> bool:
    """It is logged, or says what else has to go: who deletes it too does no harm."""
    given = list(handings(module, read))
    taking = [
        call
        for call in module.of_function(read.function)
        if any(taken.order == read.place.order for _, argument in call.arguments for taken in argument.takes)
    ]
    return bool(given or taking) and all(map(is_noted, given)) and all(map(gives_up, taking))


def _is_used(read: Call) -> bool:
    later = read.result.later
    return later is None or any(use.use not in ("condition", "discarded") for use in later)


def _message(read: Call, registry: Registry, server: ServerVersion) -> str:
    command = command_of(read)
    if (command == "GET" and server.takes_values) or (command == "HGET" and server.takes_fields):
        instead = f"Use {'getdel' if command == 'GET' else 'hgetdel'}()"
    else:
        instead = _INSTEAD.get(command, "Queue both in one MULTI pipeline")
    return (
        f"{named(read.key, registry)} is read here and deleted in a second round trip: two that come at once both get "
        f"it, and what is written in between is lost. {instead}"
    )


RULE = Rule(
    code="RG210",
    name="get-then-delete",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='code = r.get("code:7")\nr.delete("code:7")\nprint(code)',
            good='code = r.getdel("code:7")\nprint(code)',
        ),
    ),
)
