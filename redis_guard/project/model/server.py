"""The oldest server that the code has to work with.

Law of this file: what a version has is told by Redis' own command pages; Valkey counts as the Redis 7.2 it grew from.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class ServerVersion:
    """Major and minor number of the setting `target-server`; advice must not need more than this."""

    major: int = 6
    minor: int = 2

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    @property
    def expires_if_without(self) -> bool:
        """EXPIRE knows NX (7.0); before, it is a syntax error."""
        return self >= ServerVersion(7, 0)

    @property
    def takes_values(self) -> bool:
        """GETDEL and LMOVE are there (6.2), and SET knows EXAT."""
        return self >= ServerVersion(6, 2)

    @property
    def takes_fields(self) -> bool:
        """HGETDEL is there (8.0)."""
        return self >= ServerVersion(8, 0)


DEFAULT_SERVER = ServerVersion()
