"""Texts that a call gives: conversions that change nothing, look-ups, and small functions of the project.

Law of this file: what a function returns is looked at, what it does is not.
"""

from redis_guard.facts.model import Attr, Call
from redis_guard.project import classes
from redis_guard.project.enums import is_enum
from redis_guard.project.inference import Inference
from redis_guard.project.spelled import NOTHING, Here, Speller, Spelling, dynamic, together
from redis_guard.project.values import ClassObject, Function, LibraryInstance, ScopeRef
from redis_guard.project.walk import dotted, last_name, text

_SAME = frozenset({"str", "intern", "sys.intern"})
_CAST = frozenset({"cast", "typing.cast"})
_FIELDS = frozenset({"field", "Field", "ib", "attrib"})
_LOOK_UPS = frozenset({"get", "pop", "setdefault"})


class Calls:
    """Answers over one project."""

    def __init__(self, spellings: Speller, inf: Inference) -> None:
        self._spellings = spellings
        self._inf = inf

    def of(self, here: Here, call: Call) -> Spelling:
        """What the call may give."""
        written, given = dotted(call.func) or "", [arg.value for arg in call.args if not arg.star]
        if written in _SAME and given:
            return self._spellings.inner(here, given[0])
        if written in _CAST and len(given) == 2:
            return self._spellings.inner(here, given[1])
        if last_name(call.func) in _FIELDS:
            defaults = [arg.value for arg in call.args if arg.keyword == "default"]
            return together(self._spellings.inner(here, default) for default in defaults)
        if isinstance(call.func, Attr) and call.func.name in _LOOK_UPS and given:
            found = self._spellings.item(here, call.func.value, given[0])
            return together([found, *(self._spellings.inner(here, default) for default in given[1:2])])
        parts: list[Spelling] = []
        for value in self._inf.values(here.path, here.scope, call.func):
            match value.object:
                case Function(ref=ref):
                    parts.append(self.returned(here, ref))
                case ClassObject(ref=ref) if is_enum(self._inf, ref):
                    parts.append(self._spellings.of_enum(here, ref))
                case ClassObject(ref=ref) if "builtins.str" in classes.bases(self._inf, ref) and given:
                    parts.append(self._spellings.inner(here, given[0]))
                case LibraryInstance(name="typing.NewType") if given:
                    parts.append(self._spellings.inner(here, given[0]))
        if parts:
            return together(parts)
        return self._spellings.unknown(here, call.func)._replace(dynamic=text(call))

    def returned(self, here: Here, ref: ScopeRef) -> Spelling:
        """What a function of the project gives back."""
        if (ref.path, ref.scope, -1) in here.open:
            return NOTHING
        function = self._inf.index.scope(ref)
        returns = [root.expr for root in function.roots if root.use == "return"]
        if function.generator or not returns:
            return dynamic(f"{function.name}()")
        inside = here.opening(ref.path, ref.scope, -1).at(ref.path, ref.scope)
        return together(self._spellings.of(inside, expr) for expr in returns)
