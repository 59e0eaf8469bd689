"""ModuleFacts as bytes, for caches and process borders.

Law of this file: reading executes nothing. A cache may come along with a cloned repository, so only the
classes of the facts model are ever built.
"""

import io
import pickle

from redis_guard.facts import model
from redis_guard.facts.model import ModuleFacts

_ALLOWED = {
    name: thing for name, thing in vars(model).items() if isinstance(thing, type) and issubclass(thing, tuple | model.Node)
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        if module == model.__name__ and name in _ALLOWED:
            return _ALLOWED[name]
        raise pickle.UnpicklingError(f"{module}.{name} is not a fact")


def encode(facts: ModuleFacts) -> bytes:
    return pickle.dumps(facts, protocol=5)


def decode(data: bytes) -> ModuleFacts | None:
    """The facts, or None for bytes that are not facts of this version."""
    try:
        facts = _Reader(io.BytesIO(data)).load()
    except Exception:  # whatever broken bytes make the unpickler raise
        return None
    return facts if isinstance(facts, ModuleFacts) else None
