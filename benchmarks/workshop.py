"""Where one run of the benchmarks keeps its trees and finds its tools.

Law of this file: what is there is used again, what is not is made when first asked for; the folders are the
only memory.
"""

import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from benchmarks import peers, trees
from benchmarks.measure import Command
from benchmarks.trees import Tree


@dataclass(frozen=True, slots=True)
class Workshop:
    """Sizes in files; `folder` is temporary, `tools` is kept."""

    folder: Path
    tools: Path
    mid_files: int
    huge_files: int
    program: tuple[str, ...] = (str(Path(sys.executable).with_name("redis-guard")),)
    site: Path = Path(sysconfig.get_path("purelib"))

    def shop(self) -> Tree:
        """The shop alone."""
        return self._tree("shop", 0, 1)

    def mid(self) -> Tree:
        """An application of ordinary size."""
        return self._tree("mid", self.mid_files, 1)

    def twice(self) -> Tree:
        """The same files twice."""
        return self._tree("twice", self.mid_files, 2)

    def huge(self) -> Tree:
        """All installed packages, as often as it takes."""
        each = max(1, len(trees.installed(site=self.site)))
        return self._tree("huge", None, -(-self.huge_files // each))

    def peer(self, peer: peers.Peer, tree: Tree, paths: tuple[str, ...]) -> Command:
        """Another tool on these paths. PeerMissingError when it cannot be had."""
        return peers.command(peer, peers.install(peer, self.tools), tree.root, paths)

    def _tree(self, name: str, limit: int | None, copies: int) -> Tree:
        root = self.folder / name
        if root.exists():
            return Tree(root)
        return trees.lay(root, trees.installed(limit, self.site), self.site, copies)
