"""Module names: from an import as written to a file of the project.

Law of this file: paths only, no facts, so that the sieve can ask before anything is parsed.
"""

from collections.abc import Iterable, Sequence


class ModuleNames:
    """The modules of a project by dotted name, whatever its source roots are."""

    def __init__(self, paths: Iterable[str], roots: Sequence[str] = ()) -> None:
        self._paths: set[str] = set(paths)
        self._roots = [root.strip("/") for root in roots if root.strip("./")]
        self._by_tail: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            self._by_tail.setdefault(self.tail(path), []).append(path)

    @staticmethod
    def tail(path: str) -> str:
        """The last component of the module's name: the folder for an `__init__`."""
        parts = path.rsplit(".", 1)[0].split("/")
        if parts[-1] == "__init__" and len(parts) > 1:
            return parts[-2]
        return parts[-1]

    def __contains__(self, path: str) -> bool:
        return path in self._paths

    def find(self, importer: str, module: str) -> str | None:
        """The file that `module`, as written in `importer` (leading dots included), names; None outside."""
        if module.startswith("."):
            return self._relative(importer, module)
        wanted = module.replace(".", "/")
        exact = [f"{root}/{wanted}" if root else wanted for root in (*self._roots, "", "src")]
        for stem in exact:
            if (found := self._file(stem)) is not None:
                return found
        return self._by_suffix(importer, module, wanted)

    def submodule(self, package: str, name: str) -> str | None:
        """`name` as a module inside the package whose `__init__` file is `package`."""
        if not package.endswith(("/__init__.py", "/__init__.pyi")) and package not in (
            "__init__.py",
            "__init__.pyi",
        ):
            return None
        folder = package.rpartition("/")[0]
        return self._file(f"{folder}/{name}" if folder else name)

    def _file(self, stem: str) -> str | None:
        for tail in (".py", "/__init__.py", ".pyi", "/__init__.pyi"):
            if stem + tail in self._paths:
                return stem + tail
        return None

    def _relative(self, importer: str, module: str) -> str | None:
        name = module.lstrip(".")
        folder = importer.rpartition("/")[0].split("/")
        up = len(module) - len(name) - 1
        if up > len(folder):
            return None
        base = folder[: len(folder) - up] if up else folder
        parts = [part for part in [*base, *name.split(".")] if part]
        return self._file("/".join(parts)) if parts else self._file("__init__")

    def _by_suffix(self, importer: str, module: str, wanted: str) -> str | None:
        """The nearest file whose path ends like the module; never a lone top-level name far away."""
        candidates = []
        for path in self._by_tail.get(module.rsplit(".", 1)[-1], ()):
            stem = path.rsplit(".", 1)[0].removesuffix("/__init__")
            if stem == wanted or stem.endswith("/" + wanted):
                prefix = stem[: len(stem) - len(wanted)]
                if (
                    "." not in module
                    and prefix + "__init__.py" in self._paths
                    and not path.endswith("/__init__.py")
                ):
                    continue  # a module of a package: its name begins further up
                inside = importer.startswith(prefix)
                if "." in module or inside:
                    candidates.append((not inside, -_shared(importer, path), len(path), path))
        return min(candidates)[-1] if candidates else None


def _shared(one: str, other: str) -> int:
    shared = 0
    for a, b in zip(one.split("/"), other.split("/"), strict=False):
        if a != b:
            break
        shared += 1
    return shared
