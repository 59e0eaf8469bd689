"""Control-C at every moment at which Python looks for it while the runtime works.

Law of this file: an interrupt is raised where the interpreter itself would raise one (CPython 3.11 to 3.14): after a
call, at the start of a function, at the end of a loop's turn.
"""

import dis
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import redis_guard.runtime

_RUNTIME = str(Path(redis_guard.runtime.__file__).parent)
_CALLS = ("CALL", "CALL_KW", "CALL_FUNCTION_EX")
_LOOKS = ("RESUME", "JUMP_BACKWARD")


class Interrupt:
    """A trace function that raises `KeyboardInterrupt` at the `moment`th chance, once."""

    def __init__(self, moment: int, outside: tuple[str, ...]) -> None:
        self.where = ""
        """File, line and function; empty if there were fewer chances."""
        self._left = moment
        self._outside = outside
        self._called: dict[int, bool] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(_RUNTIME) or name.endswith(self._outside) or _finalizing(frame):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode" and not self.where:
            name = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            # Of a call whose value is returned the chance belongs to the call, and is covered by what covers that.
            chance = name in _LOOKS or (self._called.get(id(frame), False) and not name.startswith("RETURN"))
            self._called[id(frame)] = name in _CALLS
            self._left -= chance
            if chance and not self._left:
                self.where = (
                    f"{name} at {frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
                )
                raise KeyboardInterrupt
        return self._step


def _finalizing(frame: FrameType | None) -> bool:
    """Of what a finalizer raises Python makes a note on standard error."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def interrupted(act: Callable[[], object], moment: int, outside: tuple[str, ...]) -> str:
    """Where `act` was interrupted; empty if it has ended before."""
    interrupt = Interrupt(moment, outside)
    before = sys.gettrace()
    sys.settrace(interrupt)
    try:
        with suppress(KeyboardInterrupt):
            act()
    finally:
        sys.settrace(before)
    return interrupt.where
