"""Who declares what: names over the whole set of files, and the owners that entries name.

Law of this file: a name is declared once in all files together, and every owner is both declared and used.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from redis_guard.nearest import did_you_mean
from redis_guard.registry.durations import shortened
from redis_guard.registry.fields import Fields
from redis_guard.registry.model import DEFAULT_INSTANCE, Owner
from redis_guard.registry.names import OWNER_NAME, name_fault, named
from redis_guard.registry.problems import Place, Problem
from redis_guard.registry.tree import Scalar

Declaration = tuple[str, Fields]


def declared(
    files: Sequence[Fields],
    section: str,
    noun: str,
    identity: Callable[[str, Fields], str],
    pattern: str | None = None,
) -> tuple[Declaration, ...]:
    """Names and fields of one section of all files. `identity` must differ between declarations."""
    found: list[Declaration] = []
    first: dict[str, Place] = {}
    for top in files:
        for key, value in named(top, section):
            subject = f'{noun} "{shortened(key.text)}"'
            fields = Fields.of(value, subject, key.place, top.problems)
            if pattern and (fault := name_fault(key.text, pattern)):
                fields.add(key.place, "bad-value", f"the name {fault}")
            before = first.setdefault(identity(key.text, fields), key.place)
            if before == key.place:
                found.append((key.text, fields))
            else:
                fields.add(key.place, "declared-twice", f"declared twice; the other one is at {before}")
    return tuple(found)


def by_name(name: str, fields: Fields) -> str:
    """Owners and use cases are told apart by their names."""
    return name


def by_key_and_instance(name: str, fields: Fields) -> str:
    """Keyspaces are told apart by their keys on one Redis."""
    instance = fields.value("instance")
    return f"{instance.text if isinstance(instance, Scalar) else DEFAULT_INSTANCE} {name}"


def read_owners(files: Sequence[Fields]) -> dict[str, Owner]:
    """All owners; one with a fault is there as well, so that its entries are not reported too."""
    owners: dict[str, Owner] = {}
    for name, fields in declared(files, "owners", "owner", by_name, OWNER_NAME):
        fields.only(("contact", "description"))
        fields.require("contact")
        contact, description = fields.text("contact"), fields.text("description")
        owners[name] = Owner(name, contact or "", description or "", fields.place)
    return owners


def check_owners(owners: Mapping[str, Owner], entries: Iterable[Fields], problems: list[Problem]) -> None:
    """Note owners that nobody declares and owners that nobody names."""
    used: set[str] = set()
    for fields in entries:
        name = fields.text("owner")
        if name is None:
            continue
        used.add(name)
        if name not in owners:
            hint = did_you_mean(name, owners) or "; declare it under owners"
            fields.add(fields.where("owner"), "unknown-owner", f'unknown owner "{shortened(name)}"{hint}')
    for owner in owners.values():
        if owner.name not in used:
            message = f'owner "{shortened(owner.name)}" is unused: no use case and no keyspace names it'
            problems.append(Problem.at(owner.place, "unused-owner", message))
