"""What a function's helpers do to Redis, told in the function's own terms.

Law of this file: one level. A helper's call is lent to a caller only where its keys and its client are known
there: they are the helper's parameters, the object's own attributes, or globals.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from redis_guard.facts.model import Call
from redis_guard.project import model
from redis_guard.project.arguments import Arguments
from redis_guard.project.inference import Inference
from redis_guard.project.keys import Hole
from redis_guard.project.retelling import Retelling, by_function
from redis_guard.project.templates import Templates
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import every, last_name

_LENT = frozenset({"sets", "may-set", "clears", "keeps", "ends"})
_SIDE = 500
"""More calls than this in one helper are not lent."""


class Lending:
    """Lends the calls of helpers to the functions that call them."""

    def __init__(
        self, inf: Inference, templates: Templates, arguments: Arguments, modules: Iterable[model.ModuleUses]
    ) -> None:
        self._inf = inf
        self._templates = templates
        self._arguments = arguments
        self._helpers: defaultdict[str, dict[ScopeRef, tuple[model.Call, ...]]] = defaultdict(dict)
        for module in modules:
            for ref, calls in by_function(module).items():
                lent = tuple(call for call in calls if _speaks_of_parameters(call))
                if lent and len(lent) <= _SIDE and not calls[0].function.generator:
                    self._helpers[calls[0].function.name][ref] = lent

    def to_module(self, module: model.ModuleUses) -> tuple[model.Call, ...]:
        """What helpers do for those functions of a module that use Redis themselves."""
        callers = by_function(module)
        if not callers:
            return ()
        retelling = Retelling(self._inf, self._templates, self._arguments, module.path)
        return tuple(call for ref in callers for call in self._to_function(ref, retelling))

    def _to_function(self, caller: ScopeRef, retelling: Retelling) -> Iterator[model.Call]:
        for number, root in enumerate(self._inf.index.scope(caller).roots):
            for node in every(root.expr):
                if not isinstance(node, Call):
                    continue
                helpers = self._helpers.get(last_name(node.func) or "", {})
                asked = retelling.asked(caller, number, node, helpers) if helpers else None
                if asked is not None:
                    yield from filter(None, (retelling.told(asked, call) for call in helpers[asked.function]))


def _speaks_of_parameters(call: model.Call) -> bool:
    """It writes keys that the caller decides on, at least in part."""
    if call.facts is None or not (call.facts.lifetime in _LENT or call.facts.family == "script"):
        return False
    mine = f"{call.path}:{call.function.scope}:"
    return any(
        isinstance(piece, Hole) and mine in piece.identity and "#" in piece.identity
        for key in call.keys
        for piece in key.pieces
    )
