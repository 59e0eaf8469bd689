"""A lease as text, on its way to another process.

Law of this file: what comes in is checked as if a stranger had written it; moments travel in the server's time, which
both sides know.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from math import inf, isfinite
from typing import Self

from redis_guard.runtime.core.lease import Holding

VERSION = 1
LONGEST = 4096


class HandoverError(ValueError):
    """The text is no exported lease."""


@dataclass(frozen=True, slots=True)
class Handover:
    """What the next holder must know."""

    use_case: str
    key: bytes
    token: str
    fence: int | None
    hold_until: float | None
    """End of `max_hold`, in seconds of the server's time."""

    @classmethod
    def of(cls, lease: Holding) -> Self:
        """`lease`, handed on."""
        until = None if lease.hold_until == inf else lease.hold_until + lease.server_offset
        return cls(lease.bound.name, lease.key, lease.token, lease.fence, until)

    def text(self) -> str:
        """ASCII without white space, to be passed in a message or a header."""
        fields = [VERSION, self.use_case, self.key.hex(), self.token, self.fence, self.hold_until]
        return urlsafe_b64encode(json.dumps(fields, separators=(",", ":")).encode()).decode()

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises `HandoverError`."""
        if not isinstance(text, str) or len(text) > LONGEST:
            raise HandoverError("adopt() takes the text that export() gave")
        try:
            fields = json.loads(urlsafe_b64decode(text.encode("ascii")))
            version, use_case, key, token, fence, hold_until = fields
            if version != VERSION:
                raise HandoverError(
                    f"the lease was exported by another version of redis-guard (format {version!r})"
                )
            known = (
                isinstance(use_case, str)
                and isinstance(token, str)
                and (fence is None or type(fence) is int)
                and (hold_until is None or (type(hold_until) in (int, float) and isfinite(hold_until)))
            )
            if known:
                token.encode()
                return cls(use_case, bytes.fromhex(key), token, fence, hold_until)
        except HandoverError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError):
            pass
        raise HandoverError("this is not the text of an exported lease, or it was cut or changed on its way")
