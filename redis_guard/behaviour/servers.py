"""Whether two calls may speak to two servers, or two databases of one.

Law of this file: clients that are built here are known by what they are told; others by their names alone.
"""

import re

from redis_guard.project.model import Call, Construction, ProjectUses

_CLIENTS = re.compile(r"^(?:r|rc|rdb|conn|(?:get_|make_)?(?:redis|client|connection|server|db|kv)\w*)$")
_BINDING = re.compile(r"@[\d,]+$")
_ARGUMENTS = re.compile(r"\(.*\)$|#\d+$")
_TELLS_WHERE = (
    "args.0",
    "args.1",
    "args.2",
    "url",
    "host",
    "port",
    "db",
    "unix_socket_path",
    "connection_pool",
)
"""By position: host, port and database of a class; the URL of `from_url`."""

Where = tuple[tuple[str, object], ...]


class Servers:
    """What is known of the clients of one project."""

    def __init__(self, project: ProjectUses) -> None:
        self._where: dict[str, Where] = {}
        for module in project.modules:
            for built in module.constructions:
                for name in built.result.names if built.kind == "client" else ():
                    self._where[f"{built.path}:{built.place.function.scope}:{name}"] = _where(built)

    def differ(self, first: Call, second: Call) -> bool:
        """Whether the two calls may go to different places."""
        ours, theirs = (_BINDING.sub("", call.source) for call in (first, second))
        if not ours or not theirs or ours == theirs:
            return False
        here, there = self._where.get(ours), self._where.get(theirs)
        if here is not None and there is not None:
            return here != there
        return first.type != second.type or not _same_name(ours, theirs)


def _where(built: Construction) -> Where:
    """The arguments that say where; one that is not a constant is known by its text."""
    return tuple(
        sorted(
            (name, str(argument.constants or argument.text))
            for name, argument in built.arguments
            if name in _TELLS_WHERE
        )
    )


def _same_name(one: str, two: str) -> bool:
    """They are called alike, or neither name says more than that it is a client."""
    ours, theirs = _last_name(one), _last_name(two)
    return ours == theirs or bool(_CLIENTS.match(ours) and _CLIENTS.match(theirs))


def _last_name(source: str) -> str:
    return re.split(r"[:.]", _ARGUMENTS.sub("", source))[-1].lstrip("_")
