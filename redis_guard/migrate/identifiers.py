"""The identifiers that give the runtime the very key that a call writes today.

Law of this file: the same bytes for every value, or no identifier. An identifier of unknown type is written out with
`str()`, as the key's text had it.
"""

import json
import re
from collections.abc import Sequence

from redis_guard.migrate.alignment import resolved, shares
from redis_guard.migrate.atoms import Atom, Filler
from redis_guard.migrate.model import Refused
from redis_guard.project.keys import Key
from redis_guard.registry import UseCase

_ENCODED = re.compile(r"[%:{}\s\x00-\x1f\x7f-\x9f]")
_PLAIN = re.compile(r'[^{}"\\]*')
_NAMED = re.compile(r"[\w.]+")


def identifiers(case: UseCase, key: Key, atoms: Sequence[Atom]) -> list[tuple[str, list[Filler]]]:
    """For each placeholder of the use case the text of the argument, and the expressions in it. Raises Refused."""
    known = resolved(atoms, key)
    if known is None:
        raise Refused("which expression fills which part of the key cannot be told")
    filled = shares(case.key, known)
    if filled is None:
        wanted = len(case.key.placeholders)
        if wanted > 1 and sum(not isinstance(atom, str) for atom in known) < wanted:
            raise Refused(f"one expression fills several placeholders of {case.key.text}; give each its own")
        raise Refused(f"an expression of the key goes across the placeholders of {case.key.text}")
    return [
        (_argument(case, share), [each for each in share if isinstance(each, Filler)]) for share in filled
    ]


def _argument(case: UseCase, share: Sequence[Atom]) -> str:
    if len(share) == 1:
        only = share[0]
        return _literal(case, only) if isinstance(only, str) else _expression(case, only)
    parts = []
    for atom in share:
        if isinstance(atom, Filler) and atom.form == "number" and atom.kind != "int":
            raise Refused("one identifier is made of several parts; give it a variable of its own")
        text = _literal(case, atom)[1:-1] if isinstance(atom, str) else _expression(case, atom) and atom.text
        if text is None or not (_PLAIN if isinstance(atom, str) else _NAMED).fullmatch(text):
            raise Refused("one identifier is made of several parts; give it a variable of its own")
        parts.append(text if isinstance(atom, str) else "{" + text + "}")
    return 'f"' + "".join(parts) + '"'


def _literal(case: UseCase, text: str) -> str:
    if case.encoding == "percent" and _ENCODED.search(text):
        raise Refused(f'"{text}" would be percent-encoded; the key needs "encoding: raw"')
    return json.dumps(text, ensure_ascii=False)


def _expression(case: UseCase, filler: Filler) -> str:
    if filler.text is None:
        raise Refused("the key is made by a helper of names that this file does not have")
    if filler.form == "number":
        # digits at most, which no encoding touches
        return filler.text if filler.kind == "int" else f'"%d" % {_operand(filler.text)}'
    if case.encoding == "percent" and filler.kind not in ("int", "uuid"):
        raise Refused(
            f'{filler.text} may hold characters that would be percent-encoded; the key needs "encoding: raw"'
        )
    if filler.form == "joined":
        # text alone can be joined to text, and bytes to bytes
        return filler.text
    return filler.text if filler.kind in ("str", "int", "uuid") else f"str({filler.text})"


def _operand(text: str) -> str:
    return text if _NAMED.fullmatch(text) else f"({text})"
