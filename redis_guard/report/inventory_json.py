"""The inventory as JSON, version 1.

Law of this file: within a version fields are added, never renamed, removed or given another meaning.
"""

from json import dumps
from typing import TextIO

from redis_guard.behaviour.proposals import Proposal
from redis_guard.report.inventory_model import Inventory, InventoryCall, InventoryGroup

VERSION = 1


def render(inventory: Inventory, out: TextIO) -> None:
    """Write one object, in ASCII."""
    out.write(to_json(inventory))


def to_json(inventory: Inventory) -> str:
    """The text that is written."""
    return dumps(document(inventory), indent=2) + "\n"


def document(inventory: Inventory) -> dict[str, object]:
    """The object that is written."""
    return {
        "version": VERSION,
        "calls": [_call(call) for call in inventory.calls],
        "groups": [_group(group) for group in inventory.groups],
        "rules": [{"code": rule.code, "name": rule.name} for rule in inventory.rules],
    }


def _call(call: InventoryCall) -> dict[str, object]:
    return {
        "path": call.path,
        "line": call.line,
        "column": call.column,
        "method": call.method,
        "command": call.command,
        "form": call.form,
        "receiver": call.receiver,
        "type": call.type,
        "asynchronous": call.asynchronous,
        "confidence": call.confidence,
        "how": call.how,
        "key": call.key,
        "writes": call.writes,
        "ttl": call.ttl,
        "behaviour": call.behaviour,
        "function": call.function,
        "owner": call.owner,
        "faults": list(call.faults),
    }


def _group(group: InventoryGroup) -> dict[str, object]:
    return {
        "behaviour": group.behaviour,
        "key": group.key,
        "calls": group.calls,
        "files": group.files,
        "lifetimes": list(group.lifetimes),
        "owner": group.owner.owner,
        "owner_from": group.owner.ground,
        "faults": dict(group.faults),
        "paths": list(group.paths),
        "sites": [f"{path}:{line}:{column}" for path, line, column in group.sites],
        "proposal": None if group.proposal is None else proposal_object(group.proposal),
    }


def proposal_object(proposal: Proposal) -> dict[str, object]:
    """The entry as a registry file has it, below its section and name."""
    return {proposal.section: {proposal.name: dict(proposal.fields)}}
