"""The rows of the table: what is measured against what, and the target.

Law of this file: targets stand here and nowhere else in the benchmarks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from benchmarks import peers, subject
from benchmarks.measure import Command, Sample
from benchmarks.peers import Peer
from benchmarks.workshop import Workshop

Against = Peer | Literal["python", "itself"]


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison. The ratio should be at most `first` in the first version, then at most `later`."""

    name: str
    work: str
    against: Against
    ours: Callable[[Workshop], Command]
    theirs: Callable[[Workshop], Command]
    first: float | None
    later: float | None = None
    quantity: Callable[[Sample], float] = lambda sample: sample.seconds
    slow: bool = False


def _on_mid(peer: Peer) -> Callable[[Workshop], Command]:
    return lambda shop: shop.peer(peer, shop.mid(), (".",))


def _mid_cold(peer: Peer, first: float, later: float | None = None, slow: bool = False) -> Row:
    name = f"mid-cold-{peer.name}"
    return Row(name, "mid application, cold", peer, subject.mid_cold, _on_mid(peer), first, later, slow=slow)


def _peak(sample: Sample) -> float:
    return sample.peak


ROWS = (
    Row(
        "huge-cold",
        "huge tree, cold, two processes",
        peers.RUFF,
        subject.huge_cold,
        lambda shop: shop.peer(peers.RUFF, shop.huge(), (".",)),
        first=1.3,
        later=1.0,
    ),
    Row(
        "huge-warm",
        "huge tree, warm and unchanged",
        peers.RIPGREP,
        subject.huge_warm,
        lambda shop: shop.peer(peers.RIPGREP, shop.huge(), (".",)),
        first=2.0,
        later=1.2,
    ),
    _mid_cold(peers.FLAKE8, 0.10, 0.05),
    _mid_cold(peers.SEMGREP, 0.6, 0.3),
    _mid_cold(peers.RUFF, 8, 3),
    _mid_cold(peers.PYLINT, 0.03, slow=True),
    _mid_cold(peers.FIXIT, 0.01, slow=True),
    Row(
        "mid-changed",
        "mid application, one file changed",
        peers.RUFF,
        subject.mid_changed,
        _on_mid(peers.RUFF),
        1.5,
    ),
    Row(
        "five-with-redis",
        "five files with redis, warm cache",
        peers.FLAKE8,
        lambda shop: subject.five_warm(shop, shop.mid().with_redis()),
        lambda shop: shop.peer(peers.FLAKE8, shop.mid(), shop.mid().with_redis()),
        first=0.3,
    ),
    Row(
        "five-without-redis",
        "five files without redis, warm cache",
        "python",
        lambda shop: subject.five_warm(shop, shop.mid().without_redis()),
        subject.python_alone,
        first=5,
    ),
    Row("version", "redis-guard --version", "python", subject.version, subject.python_alone, first=4),
    Row("growth-time", "twice the files, time", "itself", subject.twice_cold, subject.mid_cold, first=2.1),
    Row(
        "growth-memory",
        "twice the files, memory",
        "itself",
        subject.twice_cold,
        subject.mid_cold,
        first=1.3,
        quantity=_peak,
    ),
    Row(
        "shop-cold",
        "the shop, cold",
        peers.FLAKE8,
        subject.shop_cold,
        lambda shop: shop.peer(peers.FLAKE8, shop.shop(), (".",)),
        first=None,
    ),
)
