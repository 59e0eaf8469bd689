"""Passwords in URLs, and what only stands in for one.

Law of this file: one text at a time. A password that is decided at run time, or that nobody would use, is none; what is
shown to anybody, or written to a file, holds no other.
"""

import re
from ipaddress import ip_address

_URL = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:(?P<user>[^/?#]*)@)?(?P<host>[^/?#]*)[^?#]*(?:\?(?P<query>[^#]*))?",
    re.IGNORECASE,
)
_IN_QUERY = re.compile(r"(?:^|&)password=([^&]*)")
_UNFINISHED = re.compile(r"[\0${}<>%*\[\]]|\.\.\.|…")
_NOBODYS = re.compile(
    r"(?:(?:my|your|the|some|a|redis|valkey|db|default|test|dev|local|dummy|fake|sample|example|strong|super)[-_ ]?)*"
    r"(?:pass|password|passwd|passphrase|passw0rd|pwd|pw|secret|sekret|token|auth|credentials?"
    r"|change[-_]?(?:me|it|this)|redacted|example|placeholder|replace[-_]?me|x+|[a-z0-9]|here)?"
    r"(?:[-_ ]?here)?",
    re.IGNORECASE,
)
_NOWHERE = re.compile(
    r"(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal|docker|svc)$",
    re.IGNORECASE,
)


_SHOWN = re.compile(
    r"""
    (?P<before> [a-z][a-z0-9+.-]*://[^\s/?\#:@'"]*: )
    # the text may go on in a second literal
    (?P<password> (?: [^\s/?\#'"] | ['"]\s*\+?\s*[a-z]{0,2}['"] )+ )
    (?=@)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHOWN_IN_QUERY = re.compile(r"""(?P<before>[?&]password=)(?P<password>[^&#\s'"]+)""")


def password_in(url: str) -> str | None:
    """The password that the URL gives away; None where it has none, or only what stands in for one."""
    known = _URL.match(url)
    if known is None:
        return None
    given = (known["user"] or "").partition(":")[2]
    if not given and (asked := _IN_QUERY.search(known["query"] or "")) is not None:
        given = asked[1]
    return given if _is_one(given) else None


def _is_one(given: str) -> bool:
    return bool(given) and not _UNFINISHED.search(given) and not _NOBODYS.fullmatch(given)


def masked(text: str) -> str:
    """Any text with a star for each character of the passwords in its URLs, so that nothing else moves."""
    if "://" not in text:
        return text
    for pattern in (_SHOWN, _SHOWN_IN_QUERY):
        text = pattern.sub(_starred, text)
    return text


def _starred(found: re.Match[str]) -> str:
    given = found["password"]
    return found["before"] + (re.sub(r"\S", "*", given) if _is_one(given) else given)


def names_a_server(url: str) -> bool:
    """Whether the host is one of the world's: not this machine, a neighbour among containers, or an example."""
    known = _URL.match(url)
    host = known["host"] if known is not None else ""
    host = host.rpartition(":")[0] if re.search(r":\w*$", host) else host
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        return "." in host and "\0" not in host and _NOWHERE.search(host) is None


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    hidden = re.sub(r"(://[^/?#:@]*:)[^/?#]*@", r"\1…@", url)
    return re.sub(r"(password=)[^&#]*", r"\1…", hidden).replace("\0", "{…}")
