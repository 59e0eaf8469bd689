"""A password stands in the source, in the URL of a client.

What: a client, a pool, `from_url`, or a setting such as CELERY_BROKER_URL or the LOCATION of Django's CACHES is given a
literal URL with a password in it; a default, or what a look-up of the environment falls back on, counts as well.
Why it hurts: whoever can read the code, its history, or a traceback that shows the line can read and write that Redis,
and the password cannot be changed without a release.
Instead: take the URL from the environment or a secret store, with no password in the fall-back.
Placeholders are not reported; in tests only a password of a server on the internet is.
Fix: none; the password must be moved, and changed, since the history keeps it.
"""

import re
from collections.abc import Iterator

from redis_guard.finding import Span
from redis_guard.passwords import names_a_server, password_in, without_password
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at

_SETTING = re.compile(
    r"url|uri|dsn|location|broker|backend|storage|host|address|endpoint|server|redis|valkey|cache",
    re.IGNORECASE,
)


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    told: set[str] = set()
    for module in project.modules:
        for built in module.constructions:
            shown = next((url for url in built.urls if _gives_away(url, in_test=module.test)), None)
            told.update(built.urls)
            if shown is not None:
                yield at(built, _message(f"{built.text}()", shown))
    for module in project.modules:
        for given in module.given_urls:
            if _SETTING.search(given.name) and given.url not in told:
                if _gives_away(given.url, in_test=module.test):
                    message = _message(given.name, given.url)
                    yield Report(module.path, Span(*given.span), message, function=given.function)


def _gives_away(url: str, *, in_test: bool) -> bool:
    return password_in(url) is not None and (not in_test or names_a_server(url))


def _message(who: str, url: str) -> str:
    return (
        f"{who} is given a password in the source ({without_password(url)}): whoever reads the code has it; "
        "take the URL from the environment, and change the password"
    )


RULE = Rule(
    code="RG807",
    name="credentials-in-url",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r = redis.Redis.from_url("redis://:Zk48-wallaby@cache.shop.eu:6379/0")',
            good='r = redis.Redis.from_url(os.environ["REDIS_URL"])',
            setup="import os\n\nimport redis\n",
        ),
    ),
)
