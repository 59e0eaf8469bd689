"""Keys as templates: literal text and holes, compared by structure.

Law of this file: two keys are the same only where the code cannot make them differ. A hole is known by
what fills it (`identity`: a variable at one binding, a pure expression of such), never by its name.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a key that is decided at run time."""

    identity: str
    name: str = field(compare=False)
    """What a reader would call it."""
    turns: str = field(default="", compare=False)
    """What is looped over (as written), where each turn of a loop or comprehension fills it anew."""


@dataclass(frozen=True, slots=True)
class Key:
    """`login:{id}`: literal pieces and holes."""

    pieces: tuple[str | Hole, ...]

    @property
    def template(self) -> str:
        """The key as registries write it, holes by their names."""
        return "".join(
            "{" + piece.name + "}" if isinstance(piece, Hole) else piece.replace("{", "{{").replace("}", "}}")
            for piece in self.pieces
        )

    @property
    def constant(self) -> str | None:
        """The key itself where it has no hole."""
        if any(isinstance(piece, Hole) for piece in self.pieces):
            return None
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    @property
    def literal(self) -> str:
        """The text that is certain to be in it."""
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    @property
    def shape(self) -> str:
        """Equal for templates that differ in their holes only; holes are `\\0`."""
        return "".join("\0" if isinstance(piece, Hole) else piece for piece in self.pieces)

    def alike(self, other: "Key") -> bool:
        """The same template with text of its own, so that two functions that use it mean one family of keys."""
        return self.shape == other.shape and len(self.literal.strip(":/._- ")) >= 3

    @property
    def slot(self) -> str | None:
        """The hash tag that decides the cluster slot, where it is certain; None where it is not.

        Source: cluster specification, hash tags.
        """
        text = "".join(f"\1{piece.identity}\2" if isinstance(piece, Hole) else piece for piece in self.pieces)
        start = text.find("{")
        end = text.find("}", start + 1) if start >= 0 else -1
        return text[start + 1 : end] if end > start + 1 else None


def joined(parts: list[str | Hole]) -> Key:
    """A key of these parts, neighbouring literals made one."""
    pieces: list[str | Hole] = []
    for part in parts:
        if isinstance(part, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += part
        elif part != "":
            pieces.append(part)
    return Key(tuple(pieces))
