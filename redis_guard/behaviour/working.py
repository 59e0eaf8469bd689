"""Whether a value that was taken out of Redis is a piece of work.

Law of this file: words and uses; a value that is only looked at, logged or thrown away is none.
"""

import re
from collections.abc import Iterator

from redis_guard.project.model import Call, ModuleUses
from redis_guard.project.taken import Handed

_WORK = re.compile(
    r"queue|job|task|work|todo|to_do|pending|inbox|outbox|backlog|mail|message|event|command|batch|spool|broker"
    r"|(?<![a-z])q(?![a-z])",
    re.IGNORECASE,
)
_WORKS = re.compile(_WORK.pattern + r"|consum|process(?!ed)", re.IGNORECASE)
_SIGNAL = re.compile(
    r"repl(?:y|ies)|answer|response|result|notif|signal|token|permit|semaphore", re.IGNORECASE
)
"""What is waited for, or given back, whatever else it is called."""
_OTHER = re.compile(
    r"(?<![a-z])ack|wake|ready|done|free|pool|slot|history|recent|last_|cache|(?<![a-z])logs?(?![a-z])",
    re.IGNORECASE,
)
_LOGGING = frozenset(
    "debug info warning warn error exception critical log capture_message isinstance type len bool".split()
)
_PLAIN = frozenset(
    "int float str bytes list tuple dict set repr print decode loads format as_text force_str force_text to_text "
    "ensure_str pformat pprint zip map filter sorted enumerate reversed iter next min max sum join UUID Decimal "
    "unpackb".split()
)
"""What only writes a value otherwise."""


def is_work(module: ModuleUses, pop: Call) -> bool:
    """It is handed to a handler; where a name says that it is work, to anybody."""
    words = _words(pop)
    said = bool(_WORK.search(words))
    if _SIGNAL.search(words) or (_OTHER.search(words) and not said):
        return False
    named = said or bool(_WORKS.search(pop.function.qualname))
    back = named and not _is_only_tested(pop)
    return any(_takes_it_on(handed, named, back) for handed in handings(module, pop))


def is_noted(handed: Handed) -> bool:
    """It goes into a log, or is asked for its type or length."""
    return handed.to != "caller" and handed.callee.rpartition(".")[2] in _LOGGING


def _words(pop: Call) -> str:
    keys = [key.template for key in pop.keys]
    return " ".join(
        (*keys, *(word for name, argument in pop.arguments if "key" in name for word in argument.words))
    )


def _is_only_tested(pop: Call) -> bool:
    """Whether something came is all that is asked."""
    later = pop.result.later
    if pop.result.use == "compared":
        return True
    return bool(later) and all(use.use in ("compared", "condition") for use in later or ())


def handings(module: ModuleUses, call: Call) -> Iterator[Handed]:
    """Whom the result of a call is given to."""
    for handed in module.handed:
        if handed.scope == call.function.scope and any(
            taken.order == call.place.order for taken in handed.takes
        ):
            yield handed


def _takes_it_on(handed: Handed, named: bool, back: bool) -> bool:
    if handed.to == "caller":
        return back
    return not is_noted(handed) and (named or handed.callee.rpartition(".")[2] not in _PLAIN)
